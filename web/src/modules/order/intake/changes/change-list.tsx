import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { fileIntakeMail, type IntakeMail } from '@waybill/contract/intake/intake'
import type { ChangedOrder, ChangeValue, DraftChange, MailDrafts } from '@waybill/contract/order/intake/mail-draft'
import { isCanceled, isReadOnlyOrder, type OrderStatus } from '@waybill/contract/order/status'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi } from '../../../../kit/api/call-api.ts'
import { useRefusalWords } from '../../../../kit/i18n/error-text.ts'
import { useFormat } from '../../../../kit/i18n/i18n.ts'
import { Notice } from '../../../../ui/notices/notice.tsx'
import { Section } from '../../../../ui/page/section.tsx'
import { useUnitTypes } from '../../grid/choices.ts'
import { useStopTexts } from '../../stops/stop-texts.ts'
import { orderPath } from '../../values/paths.ts'
import { terminWords } from '../../values/stop-words.ts'
import { DifferenceRows } from './difference-rows.tsx'
import classes from '../intake.module.css'
import { OrderPick } from './order-pick.tsx'
import { keepForForm, type MailChanges } from './use-mail-changes.ts'

/** Files a mail, or the draft at `position`, with an order that is there. */
export function useFiling(mail: IntakeMail, position: number | null, onFiled: (mail: IntakeMail) => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (orderId: number) =>
      callApi(fileIntakeMail, { params: { id: mail.id }, version: mail.version, body: { orderId, position } }),
    onSuccess: async (filed) => {
      await client.invalidateQueries({ queryKey: ['intake-mails'], refetchType: 'none' })
      client.setQueryData(['intake-mails', mail.id], filed)
      onFiled(filed)
    },
  })
}

/** Opens the form of an order with what was chosen of a mail; it is saved there, by hand. */
export function useOpenWith(mail: IntakeMail, position: number | null) {
  const navigate = useNavigate()
  return ({ id, version }: ChangedOrder, changes: MailChanges['changes'], search: { move?: OrderStatus } = {}) =>
    void navigate({
      to: orderPath(id) as string,
      search: { ...search, changes: keepForForm({ orderId: id, version, mail, position, changes }) } as never,
      // What was typed beside the mail is kept on this device.
      ignoreBlocker: true,
    })
}

const rowId = (index: number) => `changes.${index}`

/** What a mail asks to change of an order, beside what the order says now. */
export function ChangeList({
  mail,
  drafts: { changes, orders },
  isOpen,
  onFiled,
  onOrder,
}: {
  mail: IntakeMail
  drafts: MailDrafts
  isOpen: boolean
  onFiled: (mail: IntakeMail) => void
  onOrder: (() => void) | null
}) {
  const { t } = useTranslation(['intake', 'order'])
  const format = useFormat()
  const texts = useStopTexts()
  const refusalWords = useRefusalWords()
  const filing = useFiling(mail, null, onFiled)
  const openWith = useOpenWith(mail, null)
  const orderOf = (change: DraftChange) => orders.find(({ id }) => id === change.order?.id)
  const isTakeable = (change: DraftChange) => {
    const order = orderOf(change)
    return change.path !== null && order !== undefined && !isReadOnlyOrder(order.status)
  }
  const [ticked, setTicked] = useState<ReadonlySet<string>>(
    () =>
      new Set(
        changes.flatMap((change, index) => (isTakeable(change) && orderOf(change)!.isCertain ? rowId(index) : [])),
      ),
  )
  const units = useUnitTypes()
  const rowWords = ({ stop, line }: DraftChange): string | null =>
    stop !== null
      ? [
          stop.companyTitle,
          stop.address,
          [stop.postal, stop.city].filter(Boolean).join(' '),
          stop.termin === null ? null : terminWords(stop.termin, format, texts),
        ]
          .filter(Boolean)
          .join(', ')
      : line !== null
        ? [
            [
              line.quantity === null ? null : format.number(line.quantity),
              units.find(({ id }) => id === line.unitTypeId)?.title,
              line.title,
            ]
              .filter(Boolean)
              .join(' '),
            line.weightKg === null ? null : `${format.number(line.weightKg)} kg`,
          ]
            .filter(Boolean)
            .join(', ')
        : null
  const words = ({ field, said }: DraftChange, value: ChangeValue): string => {
    if (value === null) return '–'
    if (typeof value === 'object') return terminWords(value, format, texts)
    if (typeof value === 'number' && said !== null && value === said.amountCents)
      return t(`intake:change.${said.why}`, { price: `${format.number(value / 100, 2, 2)} ${said.currency}` })
    if (typeof value === 'number') return field.startsWith('price') ? format.euro(value) : format.number(value)
    if (field === 'order')
      return t(isCanceled(value as OrderStatus) ? 'intake:change.canceled' : 'intake:change.placed')
    return String(value)
  }
  const chosenFor = (id: number): MailChanges['changes'] =>
    changes.flatMap(({ order, path, after, stop, line, extra }, index) =>
      order?.id === id && path !== null && ticked.has(rowId(index)) ? { path, value: after, stop, line, extra } : [],
    )
  const isWith = (id: number) => mail.orders.some((one) => one.id === id)
  const isCancellation = ({ id, status }: ChangedOrder) =>
    !isCanceled(status) &&
    changes.some(({ order, field, after }) => order?.id === id && field === 'order' && after === 'canceled')
  const told = orders.filter(({ toldCarriers }) => toldCarriers.length > 0)
  const isChange = mail.kind === 'change' || mail.kind === 'cancel'
  if (!isChange && changes.length === 0) return null
  return (
    <>
      {filing.error === null ? null : <Notice tone="danger">{refusalWords(filing.error).join('. ')}</Notice>}
      {changes.length === 0 ? (
        <Notice tone="warn">{t('intake:change.none')}</Notice>
      ) : (
        <Section title={t('intake:change.list')} isFlush>
          <DifferenceRows
            onTick={
              isOpen
                ? (id, isTicked) =>
                    setTicked((before) => new Set(isTicked ? [...before, id] : [...before].filter((one) => one !== id)))
                : null
            }
            rows={changes.map((change, index) => ({
              id: rowId(index),
              order:
                change.order === null ? (
                  <span className={classes.warn}>
                    {t('intake:change.unknown', { number: change.reference ?? '?' })}
                  </span>
                ) : (
                  <Link to={orderPath(change.order.id) as string}>{change.order.title}</Link>
                ),
              label: `${t(`intake:change.fields.${change.field.replace('.', '_')}`)}${
                change.of === null ? '' : ` (${change.of})`
              }`,
              now: words(change, change.now),
              after: rowWords(change) ?? words(change, change.after),
              isSure: change.isSure,
              isTicked: isTakeable(change) ? ticked.has(rowId(index)) : null,
            }))}
          />
          {told.map(({ id, title, toldCarriers }) => (
            <p key={id} className={classes.told}>
              {t('intake:change.told', {
                order: title,
                carriers: format.list(toldCarriers),
                count: toldCarriers.length,
              })}
            </p>
          ))}
          {isOpen
            ? orders.map((order) => (
                <div key={order.id} className={classes.choices}>
                  {isCancellation(order) ? (
                    <Button size="compact-sm" onClick={() => openWith(order, [], { move: 'canceled' })}>
                      {t('intake:change.cancel', { order: order.title })}
                    </Button>
                  ) : null}
                  {changes.some((change) => change.order?.id === order.id && isTakeable(change)) ? (
                    <Button
                      size="compact-sm"
                      variant={order === orders[0] ? 'filled' : 'default'}
                      disabled={chosenFor(order.id).length === 0}
                      onClick={() => openWith(order, chosenFor(order.id))}
                    >
                      {t('intake:change.takeOver', { order: order.title, count: chosenFor(order.id).length })}
                    </Button>
                  ) : null}
                  <Button
                    size="compact-sm"
                    disabled={isWith(order.id)}
                    loading={filing.isPending}
                    onClick={() => filing.mutate(order.id)}
                  >
                    {t('intake:fileWith', { order: order.title })}
                  </Button>
                </div>
              ))
            : null}
        </Section>
      )}
      {isOpen ? (
        <OrderPick isBusy={filing.isPending} onFile={(id, onFiled) => filing.mutate(id, { onSuccess: onFiled })} />
      ) : null}
      <p className={classes.dim}>
        {t('intake:change.means')}{' '}
        {onOrder === null ? null : (
          <Button size="compact-sm" variant="subtle" onClick={onOrder}>
            {t('intake:change.asOrder')}
          </Button>
        )}
      </p>
    </>
  )
}
