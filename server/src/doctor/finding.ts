/** What a check found: `note` is right as it is, and worth knowing. */
export interface Finding {
  level: 'right' | 'note' | 'wrong'
  about: string
  words: string
  /** what to do */
  advice?: string
}

/** What is wrong as a finding; a check that throws has found something wrong. */
export async function finding(
  about: string,
  advice: string,
  check: () => Promise<Omit<Finding, 'about'> | string>,
): Promise<Finding> {
  try {
    const found = await check()
    return typeof found === 'string' ? { level: 'right', about, words: found } : { about, ...found }
  } catch (error) {
    return { level: 'wrong', about, words: reasonOf(error), advice }
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause, code } = error as Error & { code?: string }
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ')
  // What fetch and our own errors are about stands behind them.
  if (cause instanceof Error) return reasonOf(cause)
  return error.message || code || error.name
}
