import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import {
  endCreditLift,
  getCustomerCredit,
  liftCreditLimit,
  MOST_LIFTED_DAYS,
  type CustomerCredit,
} from '@waybill/contract/credit/credit'
import type { Language } from '@waybill/contract/errors'
import { addDays } from '@waybill/contract/kit/local-time'
import { parseTermin } from '@waybill/contract/order/termin/termin-text'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi, newIdempotencyKey } from '../../kit/api/call-api.ts'
import { LoadError } from '../../kit/api/load-error.tsx'
import { useIntention } from '../../kit/api/use-intention.ts'
import { useKept } from '../../kit/form/state/use-kept-typing.ts'
import { useFieldErrorText, useRefusalWords } from '../../kit/i18n/error-text.ts'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { localToday } from '../../kit/list/filter/filters.ts'
import { TextAreaField, TextField } from '../../ui/fields/field.tsx'
import { Notice } from '../../ui/notices/notice.tsx'
import { notify } from '../../ui/notices/notify.tsx'
import { RefusalsNotice } from '../../ui/notices/refusals-notice.tsx'
import { Section } from '../../ui/page/section.tsx'
import { ModalFrame } from '../../ui/windows/confirm-modal.tsx'
import classes from './credit.module.css'

/** A limit is mostly lifted for what is to be loaded this week. */
const USUAL_DAYS = 7

/** What a customer uses of its credit limit, for who processes invoices, and the way to lift it for some days. */
export function CustomerCreditPanel({ customerId }: { customerId: number }) {
  const { t } = useTranslation('credit')
  const format = useFormat()
  const client = useQueryClient()
  const refusalWords = useRefusalWords()
  const [isLifting, setLifting] = useState(false)
  const queryKey = ['credit', customerId]
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => callApi(getCustomerCredit, { params: { id: customerId }, signal }),
  })
  const put = (credit: CustomerCredit) => {
    client.setQueryData(queryKey, credit)
    setLifting(false)
  }
  const end = useMutation({
    mutationFn: (id: number) => callApi(endCreditLift, { params: { id }, idempotencyKey: newIdempotencyKey() }),
    onSuccess: put,
    onError: (fault) => {
      void client.invalidateQueries({ queryKey })
      notify({ tone: 'danger', title: t('refused'), detail: refusalWords(fault).join('. '), closeLabel: t('close') })
    },
  })
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />
  if (data === undefined) return null
  const { limitCents, usedCents, standing, lift } = data
  const share = limitCents === null || limitCents === 0 ? 0 : usedCents / limitCents
  return (
    <Section
      title={t('title')}
      summary={
        limitCents === null
          ? t('noLimit', { used: format.euro(usedCents) })
          : t('used', {
              used: format.euro(usedCents),
              limit: format.euro(limitCents),
              percent: format.percent(Math.round(share * 100) * 100),
            })
      }
      actions={
        limitCents === null || lift !== null ? null : (
          <Button size="compact-sm" onClick={() => setLifting(true)}>
            {t('lift')}
          </Button>
        )
      }
    >
      {lift === null ? null : (
        <Notice tone="warn">
          {t('lifted', { date: format.date(lift.until), reason: lift.reason })}{' '}
          <Button size="compact-sm" variant="subtle" loading={end.isPending} onClick={() => end.mutate(lift.id)}>
            {t('end')}
          </Button>
        </Notice>
      )}
      {limitCents === null ? null : (
        <div className={classes.bar} data-standing={standing ?? undefined} aria-hidden>
          <i style={{ width: `${Math.max(0, Math.min(1, share)) * 100}%` }} />
        </div>
      )}
      <dl className={classes.sums}>
        <dt>{t('open')}</dt>
        <dd>{format.euro(data.openCents)}</dd>
        <dt>{t('delivered')}</dt>
        <dd>{format.euro(data.deliveredCents)}</dd>
        <dt>{t('underWay')}</dt>
        <dd>{format.euro(data.underWayCents)}</dd>
        <dt>
          <b>{t('sum')}</b> {standing === null ? null : <span data-standing={standing}>{t(standing)}</span>}
        </dt>
        <dd>
          <b>{format.euro(usedCents)}</b>
        </dd>
      </dl>
      {isLifting ? <LiftWindow customerId={customerId} onClose={() => setLifting(false)} onLifted={put} /> : null}
    </Section>
  )
}

interface LiftProps {
  customerId: number
  onClose: () => void
  onLifted: (credit: CustomerCredit) => void
}

/** `until` as it was typed; null: the usual days */
const NOTHING = { reason: '', until: null as string | null }

function LiftWindow({ customerId, onClose, onLifted }: LiftProps) {
  const { t, i18n } = useTranslation('credit')
  const format = useFormat()
  const fieldErrorText = useFieldErrorText()
  const refusalWords = useRefusalWords()
  const keyOf = useIntention()
  const kept = useKept('credit', customerId, NOTHING)
  const { reason, until: typed } = kept.values
  const [isTried, setTried] = useState(false)
  const today = localToday()
  const read = typed === null ? null : parseTermin(typed, { today, language: i18n.language as Language })
  const until = typed === null ? addDays(today, USUAL_DAYS) : (read?.dateFrom ?? null)
  const lift = useMutation({
    mutationFn: (day: string) => {
      const body = { reason: reason.trim(), until: day }
      return callApi(liftCreditLimit, { params: { id: customerId }, body, idempotencyKey: keyOf(body) })
    },
    onSuccess: (credit) => {
      void kept.forget()
      onLifted(credit)
    },
  })
  const giveUp = () => {
    void kept.forget()
    onClose()
  }
  const submit = () => {
    setTried(true)
    if (reason.trim() !== '' && until !== null && !lift.isPending) lift.mutate(until)
  }
  return (
    <ModalFrame
      isOpen
      onClose={giveUp}
      title={t('liftTitle')}
      closeLabel={t('close')}
      onSubmit={submit}
      footer={
        <>
          <Button onClick={giveUp}>{t('cancel')}</Button>
          <Button type="submit" variant="filled" loading={lift.isPending}>
            {t('doLift')}
          </Button>
        </>
      }
    >
      <RefusalsNotice refusals={lift.error === null ? [] : refusalWords(lift.error)} />
      <p className={classes.text}>{t('liftText')}</p>
      <div className={classes.fields}>
        <TextAreaField
          label={t('reason')}
          isRequired
          value={reason}
          error={isTried && reason.trim() === '' ? fieldErrorText('required') : undefined}
          maxLength={500}
          minRows={2}
          onChange={(event) => kept.change({ reason: event.currentTarget.value })}
        />
        <TextField
          label={t('until')}
          isRequired
          autoComplete="off"
          value={typed ?? format.date(addDays(today, USUAL_DAYS))}
          error={isTried && until === null ? fieldErrorText('invalid_date') : undefined}
          hint={fieldErrorText('lift_too_long', { max: MOST_LIFTED_DAYS })}
          onFocus={(event) => event.currentTarget.select()}
          onChange={(event) => kept.change({ until: event.currentTarget.value })}
          onBlur={() => typed !== null && until !== null && kept.change({ until: format.date(until) })}
        />
      </div>
    </ModalFrame>
  )
}
