import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { payClaim, reverseClaim, waiveClaim } from '@waybill/contract/claim/claim'
import { useTranslation } from 'react-i18next'
import { callApi } from '../../kit/api/call-api.ts'
import { useIntention } from '../../kit/api/use-intention.ts'
import { useKept } from '../../kit/form/state/use-kept-typing.ts'
import { useRefusalWords } from '../../kit/i18n/error-text.ts'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { TextField } from '../../ui/fields/field.tsx'
import { Notice } from '../../ui/notices/notice.tsx'
import { ModalFrame } from '../../ui/windows/confirm-modal.tsx'
import { CentsField } from '../payment/cents-section.tsx'
import type { Asked } from './asked.ts'
import classes from './claim.module.css'

interface ClaimFormProps {
  asked: Asked
  onBack: () => void
  onBooked: () => void
}

interface Typed {
  feeCents: number | null
  interestCents: number | null
  reason: string
}

/** As much as the account holds, the flat sum first. */
function proposalOf({ what, claim: { fee, interest, creditCents } }: Asked): [fee: number, interest: number] {
  if (what !== 'pay') return [fee.openCents, interest.openCents]
  const ofFee = Math.min(fee.openCents, creditCents)
  return [ofFee, Math.min(interest.openCents, creditCents - ofFee)]
}

/** How much is booked as paid or waived, with the reason where one is needed. */
export function ClaimForm({ asked, onBack, onBooked }: ClaimFormProps) {
  const { t } = useTranslation('claim')
  const format = useFormat()
  const refusalWords = useRefusalWords()
  const { what, claim } = asked
  const [proposedFee, proposedInterest] = proposalOf(asked)
  const first: Typed = { feeCents: proposedFee, interestCents: proposedInterest, reason: '' }
  const typed = useKept(`claims/${what}`, asked.what === 'reverse' ? asked.booking.id : claim.invoice.id, first)
  const { feeCents, interestCents, reason } = typed.values
  const keyOf = useIntention()
  const amounts = { invoiceId: claim.invoice.id, feeCents: feeCents ?? 0, interestCents: interestCents ?? 0 }
  const sum =
    asked.what === 'reverse'
      ? asked.booking.feeCents + asked.booking.interestCents
      : amounts.feeCents + amounts.interestCents
  const book = useMutation({
    mutationFn: () => {
      const idempotencyKey = keyOf([amounts, reason])
      if (asked.what === 'reverse')
        return callApi(reverseClaim, {
          params: { id: asked.booking.id },
          body: { reason: reason.trim() },
          idempotencyKey,
        })
      return asked.what === 'pay'
        ? callApi(payClaim, { body: amounts, idempotencyKey })
        : callApi(waiveClaim, { body: { ...amounts, reason: reason.trim() }, idempotencyKey })
    },
    onSuccess: () => {
      void typed.forget()
      onBooked()
    },
  })
  const needsReason = what !== 'pay'
  const why =
    sum === 0
      ? t('noAmount')
      : what !== 'reverse' &&
          (amounts.feeCents > claim.fee.openCents || amounts.interestCents > claim.interest.openCents)
        ? t('tooMuch')
        : what === 'pay' && sum > claim.creditCents
          ? t('overAccount')
          : needsReason && reason.trim() === ''
            ? t('noReason')
            : null
  const giveUp = () => {
    void typed.forget()
    onBack()
  }
  const press = () => {
    if (why === null && !book.isPending) book.mutate()
  }
  return (
    <ModalFrame
      isOpen
      onClose={giveUp}
      title={t(`form.${what}`, { number: claim.invoice.title })}
      closeLabel={t('close')}
      onSubmit={press}
      footer={
        <>
          <Button variant="default" onClick={giveUp}>
            {t('back')}
          </Button>
          <Button
            type="submit"
            variant="filled"
            loading={book.isPending}
            disabled={why !== null}
            title={why ?? undefined}
          >
            {t(`do.${what}`, { amount: format.euro(sum) })}
          </Button>
        </>
      }
    >
      {book.error === null ? null : <Notice tone="danger">{[...new Set(refusalWords(book.error))].join('. ')}</Notice>}
      <p className={classes.means}>
        {t(`means.${what}`, { name: claim.customer.title, amount: format.euro(claim.creditCents) })}
      </p>
      {what === 'reverse' ? null : (
        <div className={classes.fields}>
          {claim.fee.openCents === 0 ? null : (
            <CentsField
              data-autofocus
              label={t('feeOf', { open: format.money(claim.fee.openCents) })}
              value={feeCents}
              onChange={(cents) => typed.change({ feeCents: cents })}
            />
          )}
          {claim.interest.openCents === 0 ? null : (
            <CentsField
              label={t('interestOf', { open: format.money(claim.interest.openCents) })}
              value={interestCents}
              onChange={(cents) => typed.change({ interestCents: cents })}
            />
          )}
        </div>
      )}
      {needsReason ? (
        <TextField
          label={t('reason')}
          isRequired
          maxLength={500}
          autoComplete="off"
          value={reason}
          onChange={(event) => typed.change({ reason: event.currentTarget.value })}
        />
      ) : null}
    </ModalFrame>
  )
}
