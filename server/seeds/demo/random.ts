/** A repeatable stream of chance: the same seed gives the same numbers. */
export interface Random {
  /** 0 ≤ x < 1 */
  next(): number
  /** a whole number, both ends included */
  int(from: number, to: number): number
  between(from: number, to: number): number
  chance(share: number): boolean
  pick<T>(list: readonly T[]): T
  /** by weight; a weight of 0 is never drawn */
  weighted<T>(list: readonly (readonly [value: T, weight: number])[]): T
  /** around 0 with a deviation of 1, cut at ±3 */
  normal(): number
  shuffled<T>(list: readonly T[]): T[]
  /** capital letters that no plate confuses */
  letters(count: number): string
  digits(count: number): string
}

// sfc32: small, fast, and good enough that no pattern shows in a list.
function generator(seed: number): () => number {
  let [a, b, c, d] = [0x9e3779b9, 0x243f6a88, 0xb7e15162, seed | 0]
  const next = () => {
    const t = (((a + b) | 0) + d) | 0
    d = (d + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (c << 21) | (c >>> 11)
    c = (c + t) | 0
    return (t >>> 0) / 4294967296
  }
  for (let i = 0; i < 15; i += 1) next()
  return next
}

export function createRandom(seed: number): Random {
  const next = generator(seed)
  const int = (from: number, to: number) => from + Math.floor(next() * (to - from + 1))
  const pick = <T>(list: readonly T[]): T => {
    if (list.length === 0) throw new Error('nothing to pick from')
    return list[int(0, list.length - 1)]!
  }
  const text = (alphabet: string, count: number) =>
    Array.from({ length: count }, () => alphabet[int(0, alphabet.length - 1)]).join('')
  return {
    next,
    int,
    pick,
    between: (from, to) => from + next() * (to - from),
    chance: (share) => next() < share,
    weighted(list) {
      let rest = next() * list.reduce((sum, [, weight]) => sum + weight, 0)
      const hit = list.find(([, weight]) => (rest -= weight) < 0) ?? list.findLast(([, weight]) => weight > 0)
      if (!hit) throw new Error('nothing to pick from')
      return hit[0]
    },
    normal: () => Math.max(-3, Math.min(3, Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()))),
    shuffled(list) {
      const all = [...list]
      for (let i = all.length - 1; i > 0; i -= 1) {
        const j = int(0, i)
        ;[all[i], all[j]] = [all[j]!, all[i]!]
      }
      return all
    },
    letters: (count) => text('ABCDEFGHJKLMNPRSTUVWXYZ', count),
    digits: (count) => text('0123456789', count),
  }
}
