import { Link } from '@tanstack/react-router'
import {
  overLimit,
  PIECE_AGES,
  type Account,
  type Accounts,
  type Balance,
  type HolderKind,
} from '@waybill/contract/load-carrier/account'
import { useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { useRowInHand } from '../../kit/list/page/row-in-hand.ts'
import { SkeletonLines } from '../../ui/marks/skeleton.tsx'
import { EmptyState } from '../../ui/notices/notice.tsx'
import classes from './load-carrier.module.css'
import { Pieces } from './pieces.tsx'
import { useRowInView } from '../../ui/page/row-in-view.ts'

interface AccountsTableProps {
  /** null until they are here */
  data: Accounts | null
  holder: HolderKind
  /** of one type the ages are shown, of all the balance of each */
  typeId: number | null
  accountId: number | null
  isFiltered: boolean
  /** those over their limit alone */
  isOver: boolean
  onOpen: (id: number) => void
}

const LATE_DAYS = 60

/** What is held of a type; beyond the limit it says so. */
function BalanceCell({ balance }: { balance: Balance | undefined }) {
  const { t } = useTranslation('load-carrier')
  const over = balance === undefined ? 0 : overLimit(balance)
  const said = over === 0 ? undefined : t('limits.over', { count: over, limit: balance!.limit })
  return (
    <td data-number data-late={over > 0 || undefined} title={said}>
      <Pieces value={balance?.pieces ?? 0} />
      {said === undefined ? null : <span className={classes.hidden}> {said}</span>}
    </td>
  )
}

/** The accounts, the largest worth first. */
export function AccountsTable({ data, holder, typeId, accountId, isFiltered, isOver, onOpen }: AccountsTableProps) {
  const { t } = useTranslation('load-carrier')
  const format = useFormat()
  const rows = useMemo(() => data?.items.map((one) => ({ id: one.holder.id })) ?? null, [data])
  const hand = useRowInHand(rows, false)
  const body = useRef<HTMLTableSectionElement>(null)
  useRowInView(body, hand.id)
  if (data === null) return <SkeletonLines lines={12} label={t('title')} />
  if (data.items.length === 0)
    return (
      <EmptyState icon="box" title={t(isFiltered ? 'nothingFound' : isOver ? 'empty.over' : `empty.${holder}`)}>
        {t(isFiltered ? 'nothingFoundText' : isOver ? 'empty.overText' : 'empty.text')}
      </EmptyState>
    )
  const types = typeId === null ? data.types : []
  const balanceOf = ({ balances }: Account, id: number) => balances.find((one) => one.typeId === id)
  const sumOf = (id: number) => data.total.balances.find((one) => one.typeId === id)?.pieces ?? 0
  return (
    <div className={classes.list}>
      <div className={classes.scroll} tabIndex={0} role="region" aria-label={t(`holders.${holder}`)}>
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">{t(`holder.${holder}`)}</th>
              {types.map(({ id, title }) => (
                <th key={id} scope="col" data-number>
                  {title}
                </th>
              ))}
              {typeId === null ? null : (
                <>
                  <th scope="col" data-number>
                    {t('balance')}
                  </th>
                  {PIECE_AGES.map((age) => (
                    <th key={age} scope="col" data-number data-desk>
                      {t(`ages.${age}`)}
                    </th>
                  ))}
                </>
              )}
              <th scope="col" data-number>
                {t('oldest')}
              </th>
              <th scope="col" data-number>
                {t('worth')}
              </th>
            </tr>
          </thead>
          <tbody ref={body}>
            {data.items.map((account) => {
              const { id, title, detail } = account.holder
              const one = typeId === null ? undefined : balanceOf(account, typeId)
              return (
                <tr key={id} data-current={hand.id === id || undefined} data-open={accountId === id || undefined}>
                  <th scope="row">
                    <Link
                      to="."
                      search={((before: object) => ({ ...before, account: String(id) })) as never}
                      aria-current={accountId === id || undefined}
                      title={title}
                      onClick={(event) => {
                        if (event.metaKey || event.ctrlKey || event.shiftKey) return
                        event.preventDefault()
                        onOpen(id)
                      }}
                    >
                      {title} <span className={classes.dim}>{detail}</span>
                    </Link>
                  </th>
                  {types.map((type) => (
                    <BalanceCell key={type.id} balance={balanceOf(account, type.id)} />
                  ))}
                  {typeId === null ? null : (
                    <>
                      <BalanceCell balance={one} />
                      {PIECE_AGES.map((age) => (
                        <td key={age} data-number data-desk data-late={age === 'over90' || undefined}>
                          <Pieces value={one?.ages[age] ?? 0} />
                        </td>
                      ))}
                    </>
                  )}
                  <td data-number data-late={(account.oldestDays ?? 0) > LATE_DAYS || undefined}>
                    {account.oldestDays === null ? '' : t('days', { count: account.oldestDays })}
                  </td>
                  <td data-number>{format.money(account.worthCents)}</td>
                </tr>
              )
            })}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">{t(`counts.${holder}`, { count: data.total.accountCount })}</th>
              {types.map(({ id }) => (
                <td key={id} data-number>
                  <Pieces value={sumOf(id)} />
                </td>
              ))}
              {typeId === null ? null : (
                <>
                  <td data-number>
                    <Pieces value={sumOf(typeId)} />
                  </td>
                  {PIECE_AGES.map((age) => (
                    <td key={age} data-number data-desk />
                  ))}
                </>
              )}
              <td />
              <td data-number>{format.money(data.total.worthCents)}</td>
            </tr>
          </tfoot>
        </table>
      </div>
      <p className={classes.legend}>{t('legend')}</p>
    </div>
  )
}
