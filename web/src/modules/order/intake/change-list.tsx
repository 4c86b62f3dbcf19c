import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { fileIntakeMail, type IntakeMail } from '@waybill/contract/intake/intake'
import type { Reference } from '@waybill/contract/kit/fields'
import type { ChangeValue, DraftChange } from '@waybill/contract/order/intake/mail-draft'
import { isCanceled, type OrderStatus } from '@waybill/contract/order/status'
import { useTranslation } from 'react-i18next'
import { callApi } from '../../../kit/api/call-api.ts'
import { useRefusalWords } from '../../../kit/i18n/error-text.ts'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import { Icon } from '../../../ui/marks/icon.tsx'
import { Notice } from '../../../ui/notices/notice.tsx'
import { Section } from '../../../ui/page/section.tsx'
import { useStopTexts } from '../stops/stop-texts.ts'
import { orderPath } from '../values/paths.ts'
import { terminWords } from '../values/stop-words.ts'
import classes from './intake.module.css'
import { OrderPick } from './order-pick.tsx'

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

/** What a mail asks to change of an order, beside what the order says now. */
export function ChangeList({
  mail,
  changes,
  isOpen,
  onFiled,
  onOrder,
}: {
  mail: IntakeMail
  changes: readonly DraftChange[]
  isOpen: boolean
  onFiled: (mail: IntakeMail) => void
  onOrder: (() => void) | null
}) {
  const { t } = useTranslation(['intake', 'order'])
  const format = useFormat()
  const texts = useStopTexts()
  const refusalWords = useRefusalWords()
  const filing = useFiling(mail, null, onFiled)
  const words = ({ field }: DraftChange, value: ChangeValue): string => {
    if (value === null) return '–'
    if (typeof value === 'object') return terminWords(value, format, texts)
    if (typeof value === 'number') return field.startsWith('price') ? format.euro(value) : format.number(value)
    if (field === 'order')
      return t(isCanceled(value as OrderStatus) ? 'intake:change.canceled' : 'intake:change.placed')
    return String(value)
  }
  const orders = new Map<number, Reference>(changes.flatMap(({ order }) => (order === null ? [] : [[order.id, order]])))
  const isWith = (id: number) => mail.orders.some((one) => one.id === id)
  const isChange = mail.kind === 'change' || mail.kind === 'cancel'
  if (!isChange && changes.length === 0) return null
  return (
    <>
      {filing.error === null ? null : <Notice tone="danger">{refusalWords(filing.error).join('. ')}</Notice>}
      {changes.length === 0 ? <Notice tone="warn">{t('intake:change.none')}</Notice> : null}
      <Section
        title={t('intake:change.list')}
        actions={
          isOpen
            ? [...orders.values()].map(({ id, title }) => (
                <Button
                  key={id}
                  size="compact-sm"
                  disabled={isWith(id)}
                  loading={filing.isPending}
                  onClick={() => filing.mutate(id)}
                >
                  {t('intake:fileWith', { order: title })}
                </Button>
              ))
            : null
        }
        isFlush
      >
        <table className={classes.changes}>
          <thead>
            <tr>
              <th>{t('intake:change.order')}</th>
              <th>{t('intake:change.field')}</th>
              <th>{t('intake:change.now')}</th>
              <th>{t('intake:change.after')}</th>
            </tr>
          </thead>
          <tbody>
            {changes.map((change, index) => (
              <tr key={JSON.stringify(change)} id={`changes.${index}`} tabIndex={-1}>
                <td>
                  {change.order === null ? (
                    <span className={classes.warn}>
                      {t('intake:change.unknown', { number: change.reference ?? '?' })}
                    </span>
                  ) : (
                    <Link to={orderPath(change.order.id) as string}>{change.order.title}</Link>
                  )}
                </td>
                <td>
                  {t(`intake:change.fields.${change.field.replace('.', '_')}`)}
                  {change.of === null ? null : ` (${change.of})`}
                </td>
                <td className={classes.dim}>{words(change, change.now)}</td>
                <td>
                  <b>{words(change, change.after)}</b>{' '}
                  <Icon
                    name={change.isSure ? 'check' : 'alert'}
                    size={13}
                    label={t(change.isSure ? 'intake:sure' : 'intake:toCheck')}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Section>
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
