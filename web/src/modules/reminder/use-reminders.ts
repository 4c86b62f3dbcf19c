import { useQuery, useQueryClient } from '@tanstack/react-query'
import {
  listDueReminders,
  sendReminder,
  type DueReminder,
  type ReminderItem,
} from '@waybill/contract/reminder/reminder'
import { useState } from 'react'
import { callApi, newIdempotencyKey } from '../../kit/api/call-api.ts'
import { useRefusalWords } from '../../kit/i18n/error-text.ts'
import { useLiveChanges } from '../../kit/live/use-live-changes.ts'

export const sumOf = (
  items: readonly ReminderItem[],
  name: 'openCents' | 'feeCents' | 'interestCents' = 'openCents',
): number => items.reduce((cents, item) => cents + item[name], 0)

/** Of a proposed reminder what is ticked; null: nothing. */
function chosenOf(reminder: DueReminder, leftOut: ReadonlySet<number>): DueReminder | null {
  const items = reminder.items.filter(({ invoice }) => !leftOut.has(invoice.id))
  const [first] = items
  if (first === undefined) return null
  const openCents = sumOf(items)
  const feeCents = sumOf(items, 'feeCents')
  const interestCents = sumOf(items, 'interestCents')
  const totalCents = openCents + feeCents + interestCents
  return { ...reminder, items, level: first.level, openCents, feeCents, interestCents, totalCents }
}

/** Whose reminder it is, and about what. */
export const whoseOf = ({ company, customer, items }: DueReminder) => ({
  companyId: company.id,
  customerId: customer.id,
  invoiceIds: items.map(({ invoice }) => invoice.id),
})

interface Sending {
  done: number
  of: number
}

/** What came of sending them: how many left, how many wait for an address, and what was wrong with the others. */
export interface Outcome {
  sent: number
  held: number
  refused: { customer: string; words: string }[]
}

/** The reminders that are due, what of them is ticked, and the way to send them one after the other. */
export function useReminders(q: string, onDone: (outcome: Outcome) => void) {
  const client = useQueryClient()
  const refusalWords = useRefusalWords()
  const [leftOut, setLeftOut] = useState<ReadonlySet<number>>(new Set())
  const [sending, setSending] = useState<Sending | null>(null)
  const { data, error, refetch } = useQuery({
    queryKey: ['reminders', 'due', q],
    queryFn: ({ signal }) => callApi(listDueReminders, { query: q === '' ? {} : { q }, signal }),
    placeholderData: (before) => before,
  })
  useLiveChanges('invoice', () => void client.invalidateQueries({ queryKey: ['reminders'] }))
  const chosen = (data?.items ?? []).flatMap((reminder) => chosenOf(reminder, leftOut) ?? [])
  const tick = (invoiceIds: readonly number[], isOn: boolean) =>
    setLeftOut((before) => {
      const next = new Set(before)
      for (const id of invoiceIds) {
        if (isOn) next.delete(id)
        else next.add(id)
      }
      return next
    })
  const send = async () => {
    const outcome: Outcome = { sent: 0, held: 0, refused: [] }
    setSending({ done: 0, of: chosen.length })
    for (const [index, reminder] of chosen.entries()) {
      try {
        // Each is sent by itself: what hinders one stops no other.
        const { heldMailId } = await callApi(sendReminder, {
          body: { ...whoseOf(reminder), totalCents: reminder.totalCents },
          idempotencyKey: newIdempotencyKey(),
        })
        if (heldMailId === null) outcome.sent += 1
        else outcome.held += 1
      } catch (fault) {
        outcome.refused.push({ customer: reminder.customer.title, words: refusalWords(fault).join('. ') })
      }
      setSending({ done: index + 1, of: chosen.length })
    }
    setSending(null)
    await client.invalidateQueries({ queryKey: ['reminders'] })
    void client.invalidateQueries({ queryKey: ['open-items'] })
    onDone(outcome)
  }
  return { data, error, refetch, leftOut, tick, chosen, sending, send }
}
