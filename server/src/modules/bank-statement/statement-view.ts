import type { BankStatement, Proposal } from '@waybill/contract/bank-statement/bank-statement'
import { sumCents } from '@waybill/contract/kit/money'
import type { Ctx } from '../../kit/context/context.ts'
import { entriesOf, statementRow, type StoredEntry } from './bank-statement.query.ts'
import { knownFor, runsNamed } from './known.query.ts'
import { doubted, matchEntries, type Known, type Match } from './match-entries.rules.ts'
import { matchRun, type RunMatch } from './match-runs.rules.ts'

const NOTHING = {
  action: null,
  customer: null,
  shares: [],
  accountCents: 0,
  paymentFile: null,
} satisfies Partial<Proposal>

const ofRun = ({ verdict, reasons, action, run }: RunMatch): Proposal => ({
  ...NOTHING,
  verdict,
  reasons,
  action,
  paymentFile: { id: run.id, title: run.number },
})

function ofPayment(entry: StoredEntry, { verdict, reasons, customerId, shares }: Match, known: Known): Proposal {
  const numbers = new Map(known.claims.map(({ id, number }) => [id, number]))
  return {
    ...NOTHING,
    verdict,
    reasons,
    action: 'payment',
    customer: customerId === null ? null : { id: customerId, title: known.customers.get(customerId)! },
    shares: shares.map(({ invoiceId, ...share }) => ({
      invoice: { id: invoiceId, title: numbers.get(invoiceId)! },
      ...share,
    })),
    accountCents: entry.amountCents - sumCents(shares.map(({ amountCents }) => amountCents)),
  }
}

const UNKNOWN: Proposal = {
  ...NOTHING,
  verdict: 'open',
  reasons: [{ code: 'nothing_found', text: null, cents: null }],
}

/** What is proposed for the open ones among entries of a company's account. */
async function proposalsFor(
  ctx: Ctx,
  companyId: number,
  entries: readonly StoredEntry[],
): Promise<ReadonlyMap<number, Proposal>> {
  const open = entries.filter(({ status }) => status === 'open')
  const runs = await runsNamed(ctx, companyId, {
    messageIds: [...new Set(open.flatMap(({ messageId }) => messageId ?? []))],
    endToEndIds: [...new Set(open.flatMap(({ endToEndId }) => endToEndId ?? []))],
  })
  const proposals = new Map<number, Proposal>()
  for (const entry of open) {
    const match = matchRun(entry, runs)
    if (match !== null) proposals.set(entry.id, doubted(ofRun(match), entry))
    else if (entry.amountCents < 0) proposals.set(entry.id, doubted(UNKNOWN, entry))
  }
  const incoming = open.filter(({ id }) => !proposals.has(id))
  const known = await knownFor(ctx, companyId, incoming)
  const matches = matchEntries(incoming, known)
  for (const entry of incoming) proposals.set(entry.id, ofPayment(entry, matches.get(entry.id)!, known))
  return proposals
}

/** A statement with its entries and what is proposed for each open one. Errors: `not_found`. */
export async function statementView(ctx: Ctx, id: number): Promise<BankStatement> {
  const head = await statementRow(ctx, id)
  const entries = await entriesOf(ctx, id)
  const proposals = await proposalsFor(ctx, head.company.id, entries)
  const { openingCents, closingCents, knownCount } = head
  // Those that came before stand on another statement: the sum of all is not known here.
  const isWhole = openingCents !== null && closingCents !== null && knownCount === 0
  return {
    ...head,
    isBalanced: isWhole
      ? openingCents + sumCents(entries.map(({ amountCents }) => amountCents)) === closingCents
      : null,
    entries: entries.map(
      ({ partnerIban: _iban, endToEndId: _id, messageId: _message, resembles: _other, returnReason, ...entry }) => ({
        ...entry,
        remittance: returnReason === null ? entry.remittance : [returnReason, entry.remittance].join(' · '),
        proposal: proposals.get(entry.id) ?? null,
      }),
    ),
  }
}
