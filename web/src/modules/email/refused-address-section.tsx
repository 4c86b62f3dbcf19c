import { listEmailRefusals, type EmailRefusal } from '@waybill/contract/email'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useDebouncedValue } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'
import { callApi } from '../../kit/api/call-api.ts'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { hasAccess } from '../../kit/session/session.ts'
import { Icon } from '../../ui/marks/icon.tsx'
import classes from './refused-address-section.module.css'

const TYPING_MS = 400
// As many as the server looks up at once.
const MOST_AT_ONCE = 100
const LOOKS_LIKE_ONE = /^\S+@\S+\.\S+$/

const keyOf = (address: string): string => address.trim().toLowerCase()

async function refusalsOf(addresses: readonly string[], signal: AbortSignal): Promise<EmailRefusal[]> {
  const found: EmailRefusal[] = []
  for (let at = 0; at < addresses.length; at += MOST_AT_ONCE) {
    const query = { address: addresses.slice(at, at + MOST_AT_ONCE) }
    found.push(...(await callApi(listEmailRefusals, { query, signal })).items)
  }
  return found
}

/** Of these addresses, those that a mail server refused for good, by the address in small letters. */
export function useRefusals(addresses: readonly (string | null | undefined)[]): ReadonlyMap<string, EmailRefusal> {
  const wanted = [
    ...new Set(addresses.flatMap((one) => (one && LOOKS_LIKE_ONE.test(one.trim()) ? keyOf(one) : []))),
  ].toSorted()
  const [asked] = useDebouncedValue(wanted.join(' '), TYPING_MS)
  const { data } = useQuery({
    queryKey: ['email-refusals', asked],
    queryFn: ({ signal }) => refusalsOf(asked.split(' '), signal),
    enabled: asked !== '' && hasAccess(listEmailRefusals.access),
    placeholderData: keepPreviousData,
    // It is said besides: a form does not fail for want of it.
    meta: { showsRefusals: true },
  })
  return new Map((data ?? []).map((refusal) => [refusal.address, refusal]))
}

/** Says of an address that a mail server refused it, when, and with which words. */
export function RefusedMark({
  address,
  refusals,
}: {
  address: string | null | undefined
  refusals: ReadonlyMap<string, EmailRefusal>
}) {
  const { t } = useTranslation('common')
  const format = useFormat()
  const refusal = address ? refusals.get(keyOf(address)) : undefined
  if (refusal === undefined) return null
  const said = t('addressRefused', { date: format.date(refusal.at.slice(0, 10)) })
  return (
    <span className={classes.mark} title={refusal.words}>
      <Icon name="alert" size={13} /> {said}
    </span>
  )
}

/** The same for each of several addresses that stand in one field, with the address. */
export function RefusedAddresses({ addresses }: { addresses: readonly (string | null | undefined)[] }) {
  const refusals = useRefusals(addresses)
  const found = addresses.flatMap((one) => (one && refusals.has(keyOf(one)) ? one : []))
  if (found.length === 0) return null
  return (
    <p className={classes.several}>
      {found.map((address) => (
        <span key={address}>
          {address} <RefusedMark address={address} refusals={refusals} />
        </span>
      ))}
    </p>
  )
}
