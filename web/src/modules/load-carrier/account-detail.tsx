import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import {
  BILL_ACCESS,
  exportMovements,
  listMovements,
  overLimit,
  type Account,
  type HolderKind,
  type Movement,
} from '@waybill/contract/load-carrier/account'
import type { Reference } from '@waybill/contract/kit/fields'
import type { NamedLoadCarrierType } from '@waybill/contract/load-carrier/type'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi, callFile } from '../../kit/api/call-api.ts'
import { LoadError } from '../../kit/api/load-error.tsx'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { ExportMenu } from '../../kit/list/page/export-menu.tsx'
import { hasAccess } from '../../kit/session/session.ts'
import { useShortcut } from '../../kit/shortcuts/shortcuts.ts'
import { Icon } from '../../ui/marks/icon.tsx'
import { IconButton } from '../../ui/marks/icon-button.tsx'
import { KeyHint } from '../../ui/marks/marks.tsx'
import { SkeletonLines } from '../../ui/marks/skeleton.tsx'
import { lateWindow } from '../../ui/windows/late-window.tsx'
import classes from './load-carrier.module.css'
import { Pieces } from './pieces.tsx'
import { TIME_ZONE, useRefreshAccounts, useStatedWords } from './use-accounts.ts'

const AnswerWindow = lateWindow(() => import('./answer-window.tsx').then((file) => file.AnswerWindow))
const BillWindow = lateWindow(() => import('./bill-window.tsx').then((file) => file.BillWindow))
const LimitsWindow = lateWindow(() => import('./limits-window.tsx').then((file) => file.LimitsWindow))
const MovementWindow = lateWindow(() => import('./movement-window.tsx').then((file) => file.MovementWindow))
const StatementWindow = lateWindow(() => import('./statement-window.tsx').then((file) => file.StatementWindow))

interface AccountDetailProps {
  holder: HolderKind
  holderId: number
  typeId: number | null
  types: readonly NamedLoadCarrierType[]
  /** null: not among those that are listed */
  account: Account | null
  onClose: () => void
}

/** One account: its balances, and its movements with the balance after each, the newest first. */
export function AccountDetail({ holder, holderId, typeId, types, account, onClose }: AccountDetailProps) {
  const { t } = useTranslation('load-carrier')
  const format = useFormat()
  const refresh = useRefreshAccounts()
  const statedWords = useStatedWords()
  const [changing, setChanging] = useState<Movement | null>(null)
  const [asked, setAsked] = useState<'statement' | 'bill' | 'limits' | 'answer' | null>(null)
  const query = { holder, holderId, ...(typeId !== null && { typeId }) }
  const { data, error, refetch } = useQuery({
    queryKey: ['load-carriers', 'movements', query],
    queryFn: ({ signal }) => callApi(listMovements, { query, signal }),
    meta: { showsRefusals: true },
  })
  const isEmpty = data !== undefined && data.items.length === 0
  const onDrafts = (id: number) =>
    (data?.drafts ?? []).reduce((sum, draft) => sum + (draft.typeId === id ? draft.pieces : 0), 0)
  const limitOf = (id: number) => data?.limits.items.find((one) => one.typeId === id)?.pieces ?? null
  const open = types.flatMap((type) => {
    const balance = account?.balances.find((one) => one.typeId === type.id)
    const pieces = (balance?.pieces ?? 0) - onDrafts(type.id)
    if (pieces <= 0 || (typeId !== null && typeId !== type.id)) return []
    return { type, pieces, over: overLimit({ pieces, limit: limitOf(type.id) }) }
  })
  const overCount = open.reduce((sum, { over }) => sum + over, 0)
  const overCents = open.reduce((sum, { type, over }) => sum + over * type.priceCents, 0)
  const left = open.map(({ over, ...one }) => ({ ...one, proposed: overCount > 0 ? over : one.pieces }))
  const mayBill = left.length > 0 && data !== undefined && hasAccess(BILL_ACCESS)
  useShortcut({ key: 'b', label: t('bill.do'), run: () => setAsked('bill') }, mayBill)
  useShortcut(
    { key: 's', label: t('statement.send'), run: () => setAsked('statement') },
    data !== undefined && !isEmpty,
  )
  if (error && data === undefined) return <LoadError error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <SkeletonLines lines={12} label={t('movements')} />
  const withoutNote = data.items.filter(isDisputable).length
  const { stated, limits } = data
  const titleOf = (id: number) => types.find((one) => one.id === id)?.title
  const facts = [
    data.holder.detail,
    ...limits.items.map(({ typeId: of, pieces }) => t('limits.of', { count: pieces, type: titleOf(of) })),
    stated === null ? null : `${t('statement.last', { day: format.day(stated.sentAt) })}, ${statedWords(stated)}`,
  ]
  const isOfAll = typeId === null
  return (
    <section className={classes.detail} aria-label={data.holder.title}>
      <header className={classes.head}>
        <span className={classes.back}>
          <IconButton icon="chevronLeft" label={t('backToList')} onClick={onClose} />
        </span>
        <div className={classes.grow}>
          <h2>{data.holder.title}</h2>
          <p className={classes.dim}>{facts.filter(Boolean).join(' · ')}</p>
          {stated?.remark == null ? null : (
            <p className={stated.state === 'objected' ? classes.warn : classes.dim}>
              „{stated.remark}“ {stated.answeredBy}
            </p>
          )}
          <div className={classes.acts}>
            {stated === null || stated.state === 'agreed' ? null : (
              <Button size="compact-xs" variant="subtle" onClick={() => setAsked('answer')}>
                {t('answer.open')}
              </Button>
            )}
            <Button size="compact-xs" variant="subtle" onClick={() => setAsked('limits')}>
              {t(limits.items.length === 0 ? 'limits.agree' : 'limits.change')}
            </Button>
          </div>
        </div>
        {(account?.balances ?? [])
          .filter((one) => isOfAll || one.typeId === typeId)
          .map((one) => (
            <div key={one.typeId} className={classes.box}>
              <span>{types.find(({ id }) => id === one.typeId)?.title}</span>
              <b>
                <Pieces value={one.pieces} />
              </b>
            </div>
          ))}
      </header>
      <div className={classes.scroll} tabIndex={0} role="region" aria-label={t('movements')}>
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">{t('columns.date')}</th>
              {isOfAll ? <th scope="col">{t('columns.type')}</th> : null}
              <th scope="col" data-wide>
                {t('columns.where')}
              </th>
              <th scope="col">{t('columns.noteNumber')}</th>
              <th scope="col" data-number>
                {t('columns.given')}
              </th>
              <th scope="col" data-number>
                {t('columns.received')}
              </th>
              <th scope="col" data-number>
                {t('balance')}
              </th>
              <th scope="col">
                <span className={classes.hidden}>{t('movement.change')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {data.items.map((one) => (
              <MovementRow key={one.id} movement={one} isOfAll={isOfAll} onChange={() => setChanging(one)} />
            ))}
            {isEmpty ? (
              <tr>
                <td colSpan={isOfAll ? 8 : 7} className={classes.dim}>
                  {t('noMovements')}
                </td>
              </tr>
            ) : null}
            {data.olderCount > 0 ? (
              <tr>
                <td colSpan={isOfAll ? 8 : 7} className={classes.dim}>
                  {t('older', { count: data.olderCount })}
                </td>
              </tr>
            ) : null}
          </tbody>
        </table>
      </div>
      <footer className={classes.foot}>
        {withoutNote === 0 ? null : (
          <span className={classes.warn}>
            <Icon name="alert" size={13} /> {t('withoutNote', { count: withoutNote })}
          </span>
        )}
        {data.drafts.map(({ invoice, typeId: of, pieces }) => (
          <span key={`${invoice.id} ${of}`} className={classes.dim}>
            {t('bill.onDraft', { count: pieces, type: types.find(({ id }) => id === of)?.title })}{' '}
            <InvoiceLink invoice={invoice} />
          </span>
        ))}
        <span className={classes.grow} />
        <ExportMenu
          exportAs={(as) =>
            callFile(exportMovements, {
              query: { ...query, format: as, timeZone: TIME_ZONE },
            })
          }
        />
        {mayBill ? (
          <Button rightSection={<KeyHint>B</KeyHint>} onClick={() => setAsked('bill')}>
            {overCount === 0 ? t('bill.do') : t('bill.over', { count: overCount, amount: format.euro(overCents) })}
          </Button>
        ) : null}
        <Button disabled={isEmpty} rightSection={<KeyHint>S</KeyHint>} onClick={() => setAsked('statement')}>
          {t('statement.send')}
        </Button>
      </footer>
      {changing === null ? null : (
        <MovementWindow
          movement={changing}
          holder={{ kind: holder, id: holderId, title: data.holder.title }}
          types={types}
          onSaved={() => void refresh()}
          onClose={() => setChanging(null)}
        />
      )}
      {asked === 'statement' ? (
        <StatementWindow
          holder={{ kind: holder, id: holderId }}
          title={data.holder.title}
          onSent={() => void refresh()}
          onClose={() => setAsked(null)}
        />
      ) : null}
      {asked === 'limits' ? (
        <LimitsWindow
          holder={{ kind: holder, id: holderId, title: data.holder.title }}
          types={types}
          limits={limits}
          onSaved={() => void refresh()}
          onClose={() => setAsked(null)}
        />
      ) : null}
      {asked === 'answer' && stated !== null ? (
        <AnswerWindow
          statementId={stated.id}
          title={data.holder.title}
          onNoted={() => void refresh()}
          onClose={() => setAsked(null)}
        />
      ) : null}
      {asked === 'bill' ? (
        <BillWindow
          holder={{ kind: holder, id: holderId, title: data.holder.title }}
          left={left}
          onBilled={() => void refresh()}
          onClose={() => setAsked(null)}
        />
      ) : null}
    </section>
  )
}

/** No pallet note proves it, and no statement with it was agreed. */
const isDisputable = ({ noteNumber, invoice, isAgreed }: Movement): boolean =>
  noteNumber === null && invoice === null && !isAgreed

function InvoiceLink({ invoice }: { invoice: Reference }) {
  if (!hasAccess(BILL_ACCESS)) return <>{invoice.title}</>
  return <Link to={`/invoices/${invoice.id}/edit` as string}>{invoice.title}</Link>
}

function MovementRow({ movement, isOfAll, onChange }: { movement: Movement; isOfAll: boolean; onChange: () => void }) {
  const { t } = useTranslation('load-carrier')
  const format = useFormat()
  const { movedOn, type, stop, order, invoice, noteNumber, note, given, received, damaged, balance } = movement
  return (
    <tr>
      <td>{format.date(movedOn)}</td>
      {isOfAll ? <td>{type.title}</td> : null}
      <td data-wide title={[stop?.title, note].filter(Boolean).join(' · ')}>
        {invoice === null ? null : (
          <>
            {t('bill.invoice')} <InvoiceLink invoice={invoice} />
          </>
        )}
        {stop === null ? null : order === null ? (
          stop.orderNumber
        ) : (
          <Link to="/orders/$id/edit" params={{ id: String(order.id) }}>
            {order.title}
          </Link>
        )}{' '}
        {[stop?.title, note, damaged > 0 ? t('damagedOf', { count: damaged }) : null].filter(Boolean).join(' · ')}
      </td>
      <td>
        {noteNumber ??
          (invoice !== null ? null : (
            <span className={isDisputable(movement) ? classes.warn : classes.dim}>
              {isDisputable(movement) ? <Icon name="alert" size={13} /> : null} {t('noNote')}
            </span>
          ))}
      </td>
      <td data-number>{given === 0 ? '' : format.number(given)}</td>
      <td data-number>{received === 0 ? '' : format.number(received)}</td>
      <td data-number>
        <b>
          <Pieces value={balance} />
        </b>
      </td>
      <td>
        {stop === null && invoice === null ? (
          <IconButton
            icon="edit"
            isSmall
            label={t('movement.changeOf', { day: format.date(movedOn), type: type.title })}
            onClick={onChange}
          />
        ) : null}
      </td>
    </tr>
  )
}
