import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import {
  isStatementDue,
  listAccounts,
  type Account,
  type HolderKind,
  type Stated,
} from '@waybill/contract/load-carrier/account'
import { sendStatement } from '@waybill/contract/load-carrier/statement'
import type { NamedLoadCarrierType } from '@waybill/contract/load-carrier/type'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi, newIdempotencyKey } from '../../kit/api/call-api.ts'
import { LoadError } from '../../kit/api/load-error.tsx'
import { useRefusalWords } from '../../kit/i18n/error-text.ts'
import { useFormat } from '../../kit/i18n/i18n.ts'

import { CheckField } from '../../ui/fields/check-field.tsx'
import { SkeletonLines } from '../../ui/marks/skeleton.tsx'
import { Notice } from '../../ui/notices/notice.tsx'
import { notify } from '../../ui/notices/notify.tsx'
import { ModalFrame } from '../../ui/windows/confirm-modal.tsx'
import classes from './load-carrier.module.css'
import { Pieces } from './pieces.tsx'
import { TIME_ZONE, useStatedWords } from './use-accounts.ts'

const piecesOf = (balances: Account['balances'], id: number): number =>
  balances.find((one) => one.typeId === id)?.pieces ?? 0

interface StatementsWindowProps {
  holder: HolderKind
  types: readonly NamedLoadCarrierType[]
  onSent: () => void
  onClose: () => void
}

/** The statements that are due, to be looked through and sent one after the other, each in its holder's language. */
export function StatementsWindow({ holder, types, onSent, onClose }: StatementsWindowProps) {
  const { t } = useTranslation('load-carrier')
  const refusalWords = useRefusalWords()
  const query = { holder, show: 'open' as const, timeZone: TIME_ZONE }
  // Read anew as it is opened.
  const { data, error, refetch } = useQuery({
    queryKey: ['load-carriers', 'due', query],
    queryFn: ({ signal }) => callApi(listAccounts, { query, signal }),
    meta: { showsRefusals: true },
    gcTime: 0,
  })
  const [isOfAll, setOfAll] = useState(false)
  /** as they were ticked by hand, by account */
  const [ticked, setTicked] = useState<ReadonlyMap<number, boolean>>(new Map())
  const [sent, setSent] = useState<ReadonlySet<number>>(new Set())
  const [refused, setRefused] = useState<ReadonlyMap<number, string>>(new Map())
  const [sending, setSending] = useState<{ done: number; of: number } | null>(null)
  /** by what is sent: where an answer was lost, the same once more sends no second mail */
  const keys = useRef(new Map<string, string>())
  const isGone = useRef(false)
  useEffect(() => {
    isGone.current = false
    return () => {
      isGone.current = true
    }
  }, [])
  const waiting = (data?.items ?? []).filter((one) => !sent.has(one.holder.id))
  const due = waiting.filter(isStatementDue)
  const shown = isOfAll ? waiting : due
  const isTicked = (one: Account) => one.to !== null && (ticked.get(one.holder.id) ?? isStatementDue(one))
  const chosen = shown.filter(isTicked)
  const used = types.filter(({ id }) => shown.some(({ balances }) => piecesOf(balances, id) !== 0))
  const withoutAddress = shown.filter(({ to }) => to === null).length

  // One after the other: each is a letter and a mail of its own, and one that is refused holds up none of the others.
  const send = async () => {
    const stayed = new Map<number, string>()
    const gone = new Set(sent)
    setRefused(new Map())
    for (const [done, { holder: of, to, balances }] of chosen.entries()) {
      // Who closes the window has sent what was sent until then.
      if (isGone.current) break
      setSending({ done, of: chosen.length })
      try {
        const body = {
          holder: { kind: of.kind, id: of.id },
          to: to!,
          balances: balances.map(({ typeId, pieces }) => ({ typeId, pieces })),
        }
        const what = JSON.stringify(body)
        const idempotencyKey = keys.current.get(what) ?? newIdempotencyKey()
        keys.current.set(what, idempotencyKey)
        await callApi(sendStatement, { body, idempotencyKey })
        gone.add(of.id)
      } catch (fault) {
        stayed.set(of.id, [...new Set(refusalWords(fault))].join(' '))
      }
    }
    setSending(null)
    setSent(gone)
    setRefused(stayed)
    onSent()
    const count = gone.size - sent.size
    if (count > 0) notify({ tone: 'ok', title: t('statements.sent', { count }), closeLabel: t('close') })
    if (stayed.size === 0 && !isGone.current) onClose()
  }
  return (
    <ModalFrame
      isOpen
      isWide
      onClose={onClose}
      title={t(`statements.title.${holder}`)}
      closeLabel={t('close')}
      onSubmit={() => {
        if (chosen.length > 0 && sending === null) void send()
      }}
      footer={
        <>
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button type="submit" variant="filled" disabled={chosen.length === 0 || sending !== null} data-autofocus>
            {sending === null
              ? t('statements.send', { count: chosen.length })
              : t('statements.sending', { number: sending.done + 1, count: sending.of })}
          </Button>
        </>
      }
    >
      {refused.size === 0 ? null : (
        <Notice tone="danger" isUrgent>
          {t('statements.stayed', { count: refused.size })}
        </Notice>
      )}
      {error && data === undefined ? (
        <LoadError error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <SkeletonLines lines={8} label={t(`statements.title.${holder}`)} />
      ) : (
        <>
          <p className={classes.said}>{t('statements.means')}</p>
          {withoutAddress === 0 ? null : (
            <Notice tone="warn">{t('statements.withoutAddress', { count: withoutAddress })}</Notice>
          )}
          {shown.length === 0 ? (
            <p className={classes.said}>{t('statements.none')}</p>
          ) : (
            <div className={classes.due} tabIndex={0} role="region" aria-label={t(`holders.${holder}`)}>
              <table className={classes.table}>
                <thead>
                  <tr>
                    <th scope="col">{t(`holder.${holder}`)}</th>
                    {used.map(({ id, title }) => (
                      <th key={id} scope="col" data-number data-desk>
                        {title}
                      </th>
                    ))}
                    <th scope="col" data-desk>
                      {t('statements.last')}
                    </th>
                    <th scope="col" data-desk>
                      {t('statements.to')}
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {shown.map((one) => (
                    <DueRow
                      key={one.holder.id}
                      account={one}
                      types={used}
                      isTicked={isTicked(one)}
                      isBusy={sending !== null}
                      refused={refused.get(one.holder.id) ?? null}
                      onTick={(is) => setTicked(new Map(ticked).set(one.holder.id, is))}
                    />
                  ))}
                </tbody>
              </table>
            </div>
          )}
          <CheckField
            className={classes.also}
            label={t('statements.also', { count: waiting.length - due.length })}
            checked={isOfAll}
            disabled={sending !== null || waiting.length === due.length}
            onChange={(event) => setOfAll(event.currentTarget.checked)}
          />
        </>
      )}
    </ModalFrame>
  )
}

interface DueRowProps {
  account: Account
  types: readonly NamedLoadCarrierType[]
  isTicked: boolean
  isBusy: boolean
  /** why it was not sent */
  refused: string | null
  onTick: (is: boolean) => void
}

function DueRow({ account, types, isTicked, isBusy, refused, onTick }: DueRowProps) {
  const { t } = useTranslation('load-carrier')
  const { holder, balances, stated, to } = account
  return (
    <tr>
      <th scope="row" title={holder.title}>
        <CheckField
          checked={isTicked}
          disabled={to === null || isBusy}
          onChange={(event) => onTick(event.currentTarget.checked)}
          label={
            <>
              {holder.title} <span className={classes.dim}>{holder.detail}</span>
              <span className={classes.onPhone}>
                {balances
                  .filter(({ pieces }) => pieces !== 0)
                  .map(({ typeId, pieces }, index) => (
                    <span key={typeId}>
                      {index === 0 ? null : ' · '}
                      {types.find(({ id }) => id === typeId)?.title} <Pieces value={pieces} />
                    </span>
                  ))}
              </span>
            </>
          }
        />
        {refused === null ? null : <span className={classes.refused}>{refused}</span>}
      </th>
      {types.map(({ id }) => (
        <td key={id} data-number data-desk>
          <Pieces value={piecesOf(balances, id)} />
        </td>
      ))}
      <td data-desk>
        <LastStated stated={stated} />
      </td>
      <td data-desk data-late={to === null || undefined}>
        {to ?? t('statements.noAddress')}
      </td>
    </tr>
  )
}

function LastStated({ stated }: { stated: Stated | null }) {
  const format = useFormat()
  const words = useStatedWords()
  if (stated === null) return <span className={classes.dim}>–</span>
  return (
    <>
      {format.day(stated.sentAt)} <span className={classes.dim}>{words(stated)}</span>
    </>
  )
}
