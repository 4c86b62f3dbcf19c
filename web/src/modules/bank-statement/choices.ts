import {
  maySettleEntry,
  type BankEntry,
  type BookedEntry,
  type ProposedShare,
} from '@waybill/contract/bank-statement/bank-statement'
import type { Reference } from '@waybill/contract/kit/fields'

/** What a person has chosen for a payment in place of what was proposed. */
export interface Choice {
  customer: Reference
  /** cents by invoice; Skonto follows by the value date */
  shares: ReadonlyMap<number, number>
  /** what is written off of invoices that are paid all but that, as it was seen */
  writeOffs?: ReadonlyMap<number, number>
}

type ByInvoice = readonly (readonly [number, number])[]

/** Choices and ticks of a statement, by the entry's id, as a device keeps them; null: as it is proposed. */
export interface TypedChoices {
  choices: Readonly<Record<number, { customer: Reference; shares: ByInvoice; writeOffs?: ByInvoice } | null>>
  ticks: Readonly<Record<number, boolean>>
}

/** One choice as a device keeps it. */
export const asTyped = ({ customer, shares, writeOffs = new Map() }: Choice) => ({
  customer,
  shares: [...shares],
  writeOffs: [...writeOffs],
})

/** The choices by the entry's id. */
export const choicesOf = ({ choices }: TypedChoices): ReadonlyMap<number, Choice> =>
  new Map(
    Object.entries(choices).flatMap(([id, choice]) => {
      if (choice === null) return []
      const { customer, shares, writeOffs = [] } = choice
      return [[Number(id), { customer, shares: new Map(shares), writeOffs: new Map(writeOffs) }] as const]
    }),
  )

const sumOf = (cents: Iterable<number>): number => [...cents].reduce((sum, one) => sum + one, 0)

/** What of an entry is on the customer's account; less than nothing where more is shared out than came. */
export function leftOf({ amountCents, proposal }: BankEntry, choice: Choice | undefined): number {
  if (choice) return amountCents - sumOf(choice.shares.values())
  return proposal?.action === 'payment' ? proposal.accountCents : 0
}

/** True of an entry that can be booked as it stands. */
export function mayTick(entry: BankEntry, choice: Choice | undefined): boolean {
  const { status, proposal } = entry
  if (!maySettleEntry(status) || proposal === null || proposal.action === null) return false
  if (proposal.action !== 'payment') return true
  return choice ? leftOf(entry, choice) >= 0 : proposal.customer !== null
}

const proposedShare = ({ invoice, amountCents, skontoCents }: ProposedShare) => ({
  invoiceId: invoice.id,
  amountCents,
  skontoCents,
  writeOffCents: 0,
})

/** What is sent for an entry that is ticked; null where it cannot be booked. */
export function bookedAs(entry: BankEntry, choice: Choice | undefined): BookedEntry | null {
  const { id, version, proposal } = entry
  if (!mayTick(entry, choice) || proposal === null) return null
  if (proposal.action === 'run' || proposal.action === 'return')
    return { action: proposal.action, id, version, paymentFileId: proposal.paymentFile!.id }
  if (!choice)
    return {
      action: 'payment',
      id,
      version,
      customerId: proposal.customer!.id,
      shares: proposal.shares.map(proposedShare),
    }
  return {
    action: 'payment',
    id,
    version,
    customerId: choice.customer.id,
    shares: [...choice.shares].flatMap(([invoiceId, amountCents]) =>
      amountCents > 0
        ? [{ invoiceId, amountCents, skontoCents: null, writeOffCents: choice.writeOffs?.get(invoiceId) ?? 0 }]
        : [],
    ),
  }
}
