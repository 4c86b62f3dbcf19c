import { useParams, useSearch } from '@tanstack/react-router'
import type { EmailType } from '@waybill/contract/email'
import { MailWriter } from './mail-writer-section.tsx'

const numberOf = (value: unknown): number | null =>
  Number.isSafeInteger(Number(value)) && Number(value) > 0 ? Number(value) : null
const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : null

/** A mail about an order that somebody writes by hand. */
export function MailWritePage() {
  const { id, type } = useParams({ strict: false }) as { id: string; type: EmailType }
  const search = useSearch({ strict: false }) as Readonly<Record<string, unknown>>
  return (
    <MailWriter
      wish={{
        orderId: Number(id),
        type,
        routeId: numberOf(search.route),
        variant: textOf(search.variant),
        name: textOf(search.name),
        customerId: numberOf(search.customer),
      }}
    />
  )
}
