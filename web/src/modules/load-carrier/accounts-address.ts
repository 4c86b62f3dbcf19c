import { useNavigate, useSearch } from '@tanstack/react-router'
import { ACCOUNTS_SHOWN, HOLDER_KINDS, HOLDER_RIGHTS, type HolderKind } from '@waybill/contract/load-carrier/account'
import { can } from '@waybill/contract/permissions'
import { hasAccess } from '../../kit/session/session.ts'

export const OLDER_THAN = ['30', '60', '90'] as const

/** The accounts of a kind, or what of all of them is to be asked about. */
export const ACCOUNT_TABS = ['accounts', 'withoutNote', 'notAgreed'] as const

/** What the screen shows, as it stands in the address. */
export interface AccountsAddress {
  tab: (typeof ACCOUNT_TABS)[number]
  holder: HolderKind
  q: string
  typeId: number | null
  show: (typeof ACCOUNTS_SHOWN)[number]
  olderThan: (typeof OLDER_THAN)[number] | null
  /** the account that is looked into */
  accountId: number | null
}

const isOneOf = <const Values extends readonly string[]>(values: Values, value: unknown): value is Values[number] =>
  values.includes(value as string)

const idIn = (value: unknown): number | null => {
  const id = Number(value)
  return Number.isSafeInteger(id) && id > 0 ? id : null
}

/** The kinds of accounts that this person keeps. */
export const ownKinds = (): readonly HolderKind[] =>
  HOLDER_KINDS.filter((kind) => hasAccess(can(...HOLDER_RIGHTS[kind])))

/** What the address says, and how it is changed; what is as usual is not in it. */
export function useAccountsAddress(): [AccountsAddress, (change: Partial<AccountsAddress>) => void] {
  const search = useSearch({ strict: false }) as Readonly<Record<string, unknown>>
  const navigate = useNavigate()
  const kinds = ownKinds()
  const holder = isOneOf(HOLDER_KINDS, search.holder) && kinds.includes(search.holder) ? search.holder : kinds[0]!
  const shown: AccountsAddress = {
    tab: isOneOf(ACCOUNT_TABS, search.tab) ? search.tab : 'accounts',
    holder,
    q: typeof search.q === 'string' ? search.q.slice(0, 100) : '',
    typeId: idIn(search.type),
    show: isOneOf(ACCOUNTS_SHOWN, search.show) ? search.show : 'open',
    olderThan: isOneOf(OLDER_THAN, String(search.older)) ? (String(search.older) as '30') : null,
    accountId: idIn(search.account),
  }
  const go = (change: Partial<AccountsAddress>) => {
    const next = { ...shown, ...change }
    const wanted = {
      ...(next.tab !== 'accounts' && { tab: next.tab }),
      ...(next.holder !== kinds[0] && { holder: next.holder }),
      ...(next.q !== '' && { q: next.q }),
      ...(next.typeId !== null && { type: String(next.typeId) }),
      ...(next.show !== 'open' && { show: next.show }),
      ...(next.olderThan !== null && { older: next.olderThan }),
      ...(next.accountId !== null && { account: String(next.accountId) }),
    }
    void navigate({ to: '.', search: wanted as never, replace: true, resetScroll: false })
  }
  return [shown, go]
}
