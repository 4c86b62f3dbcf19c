import type { TestApp } from './app.ts'

/** The /48 from which the guesses come. */
export const GUESSERS = '2001:db8:7'

const ROUNDS = 100

/**
 * Guesses passwords for an hour, each from an address and line of its own in one /48, over a hundred accounts, the
 * victim's among them. Answers how many of them the server judged; all others must have been turned away.
 */
export async function guessFromOneSite(
  test: TestApp,
  { guesses, victim }: { guesses: number; victim: string },
): Promise<number> {
  let judged = 0
  for (let round = 0; round < ROUNDS; round += 1) {
    const answers = await Promise.all(
      Array.from({ length: guesses / ROUNDS }, (_, n) => {
        const guess = (round * guesses) / ROUNDS + n
        const email = guess % 100 === 0 ? victim : `guessed${guess % 100}@waybill.example`
        return test.signIn(email, 'Wrong-Horse-7', { ip: `${GUESSERS}:${guess.toString(16)}::1` })
      }),
    )
    for (const { status } of answers) {
      if (status === 401) judged += 1
      else if (status !== 429 && status !== 503) throw new Error(`a guess was answered with ${status}`)
    }
    test.clock.advance(3_600_000 / ROUNDS)
  }
  return judged
}
