import type { MatchReason, Reason, Verdict } from '@waybill/contract/bank-statement/bank-statement'
import type { NamedRun, RunPayment } from './known.query.ts'

/** A movement that may be of a payment run. */
interface Movement {
  amountCents: number
  endToEndId: string | null
  messageId: string | null
  returnReason: string | null
}

export interface RunMatch {
  verdict: Verdict
  reasons: Reason[]
  action: 'run' | 'return' | null
  run: NamedRun
  /** the payment that came back */
  payment: RunPayment | null
}

const because = (code: MatchReason, text: string | null, cents: number | null = null): Reason => ({ code, text, cents })

/** What a movement says of a run: it was paid, whole or one payment of it, or one came back; null of others. */
export function matchRun(movement: Movement, runs: readonly NamedRun[]): RunMatch | null {
  const { amountCents, endToEndId, messageId, returnReason } = movement
  const found = runs.flatMap((run) =>
    run.payments.filter((payment) => payment.endToEndId === endToEndId).map((payment) => ({ run, payment })),
  )[0]
  const byMessage = runs.find((run) => messageId === run.messageId || messageId === `${run.messageId}-1`)
  const run = found?.run ?? byMessage
  if (run === undefined) return null
  const payment = found?.payment ?? null
  const isBack = amountCents > 0
  if (isBack && payment === null) return null
  const match = (verdict: Verdict, action: RunMatch['action'], ...more: Reason[]): RunMatch => ({
    verdict,
    action,
    run,
    payment,
    reasons: [because(isBack ? 'run_returned' : 'run_named', run.number), ...more],
  })
  if (run.status === 'voided') return match('open', null, because('run_void', null))
  const expected = payment?.amountCents ?? run.totalCents
  if (Math.abs(amountCents) !== expected) return match('open', null, because('run_amount_differs', null, expected))
  if (isBack) {
    if (payment!.isReturned) return match('open', null, because('returned_before', null))
    const reasons = returnReason === null ? [] : [because('return_reason', returnReason)]
    return match(returnReason === null ? 'likely' : 'certain', 'return', ...reasons)
  }
  if (run.status === 'made' && run.needsSecondPerson) return match('open', null, because('run_second_person', null))
  return match('certain', 'run')
}
