/** Why something failed, in the words of who refused it: what our own errors are about stands behind them. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause, code } = error as Error & { code?: string }
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ')
  if (cause instanceof Error) return reasonOf(cause)
  return error.message || code || error.name
}
