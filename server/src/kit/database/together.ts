// One is on its way while those who come meanwhile gather for the next.
const AT_ONCE = 2

/**
 * Questions of one kind, asked in one statement. A question that comes while fewer than two statements are under way
 * leaves at once; the others wait, and leave together with the next one. No question is answered by a statement
 * that had left before it came, so that what was written before a call is seen by it.
 *
 * `ask` gets each key once, and answers those of which there is something. Error: what `ask` throws, for all who wait
 * for that statement.
 */
export function askTogether<Answer>(
  ask: (keys: string[]) => Promise<ReadonlyMap<string, Answer>>,
): (key: string) => Promise<Answer | undefined> {
  let underWay = 0
  let next: { keys: Set<string>; answers: Promise<ReadonlyMap<string, Answer>>; leave(): void } | null = null

  const begin = async (keys: Set<string>): Promise<ReadonlyMap<string, Answer>> => {
    underWay += 1
    try {
      return await ask([...keys])
    } finally {
      underWay -= 1
      const waiting = next
      next = null
      waiting?.leave()
    }
  }

  const gather = () => {
    const keys = new Set<string>()
    const { promise: answers, resolve } = Promise.withResolvers<ReadonlyMap<string, Answer>>()
    return { keys, answers, leave: () => resolve(begin(keys)) }
  }

  return async (key) => {
    if (underWay < AT_ONCE) return (await begin(new Set([key]))).get(key)
    next ??= gather()
    next.keys.add(key)
    return (await next.answers).get(key)
  }
}
