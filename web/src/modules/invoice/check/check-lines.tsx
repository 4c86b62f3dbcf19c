import { Link } from '@tanstack/react-router'
import { DIFFERENCE_KINDS, type CheckKey, type DifferenceKind } from '@waybill/contract/invoice/check'
import type { CheckLine, InvoiceCheck } from '@waybill/contract/invoice/checking'
import { isHeldInvoice, isReceivedInvoice } from '@waybill/contract/invoice/status'
import { ORDER_ACCESS } from '@waybill/contract/permissions'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import { hasAccess } from '../../../kit/session/session.ts'
import { useFieldErrorText } from '../../../kit/i18n/error-text.ts'
import { TextAreaField } from '../../../ui/fields/field.tsx'
import { Light } from '../../../ui/marks/light.tsx'
import { CountryCode, KeyHint, MoneyText, type MoneyTone } from '../../../ui/marks/marks.tsx'
import { Notice } from '../../../ui/notices/notice.tsx'
import classes from './check.module.css'
import { useCheckWords } from './check-words.ts'
import { TakeAccount } from './take-account.tsx'

/** What the approval says; `refused`: it is asked after somebody has pressed *Approve*. */
export interface Answers {
  difference: DifferenceKind | 'not_agreed' | null
  reason: string
  refused: readonly string[]
}

export const NO_ANSWERS: Answers = { difference: null, reason: '', refused: [] }

const GROUPS: readonly (readonly CheckKey[])[] = [
  ['number', 'pod', 'papers'],
  ['amount', 'vat', 'currency'],
  ['date', 'due', 'iban'],
]

/** The answers by their keys; the last one is no approval. */
export const ANSWERS = [...DIFFERENCE_KINDS, 'not_agreed'] as const

interface CheckLinesProps {
  check: InvoiceCheck
  answers: Answers
  onAnswer: (answers: Partial<Answers>) => void
  /** lines that say something else than a moment ago */
  changed: ReadonlySet<CheckKey>
  onPod: () => void
  /** an account was taken onto the carrier's record, or somebody else was faster */
  onAccount: () => void
}

/** The verdict, the nine checks, what approving asks, and the order. */
export function CheckLines({ check, answers, onAnswer, changed, onPod, onAccount }: CheckLinesProps) {
  const { t } = useTranslation('invoice-check')
  const needsReason =
    isReceivedInvoice(check.status) &&
    (check.checks.some(({ answer }) => answer === 'reason') || answers.difference === 'other')
  return (
    <>
      <Verdict check={check} />
      <div className={classes.lines}>
        <Remarks check={check} changed={changed} />
        {GROUPS.map((keys, index) => (
          <section key={keys[0]} aria-label={t(`groups.${index as 0}`)}>
            <h2 className={classes.group}>{t(`groups.${index as 0}`)}</h2>
            {keys.map((key) => {
              const line = check.checks.find((one) => one.key === key)!
              return (
                <div key={key}>
                  <Line line={line} currency={check.currency} isChanged={changed.has(key)} onPod={onPod}>
                    {key === 'iban' ? <TakeAccount check={check} line={line} onTaken={onAccount} /> : null}
                  </Line>
                  {line.answer === 'difference' && isReceivedInvoice(check.status) ? (
                    <Difference check={check} line={line} answers={answers} onAnswer={onAnswer} />
                  ) : null}
                </div>
              )
            })}
          </section>
        ))}
        {needsReason ? <Reason answers={answers} onAnswer={onAnswer} /> : null}
      </div>
      <OrderFoot check={check} />
    </>
  )
}

function Verdict({ check: { verdict, checks, receivedAt, isFromLink } }: { check: InvoiceCheck }) {
  const { t } = useTranslation('invoice-check')
  const format = useFormat()
  const names = verdict.keys.map((key) => t(`key.${key}`)).join(', ')
  const count = verdict.keys.filter((key) => checks.find((one) => one.key === key)?.level === verdict.level).length
  const first = verdict.keys
    .filter((key) => checks.find((one) => one.key === key)?.level === verdict.level)
    .map((key) => t(`key.${key}`))
    .join(', ')
  const open = checks.filter(({ level }) => level === 'open').length
  const words =
    verdict.level === 'ok'
      ? open === 0
        ? t('verdict.ok', { all: checks.length })
        : t('verdict.okOpen', { count: checks.length - open, all: checks.length })
      : t(`verdict.${verdict.level}`, { count, all: checks.length, names: first })
  return (
    <div className={classes.verdict} data-level={verdict.level} role="status">
      <Light level={verdict.level} label={t(`level.${verdict.level}`)} />
      <b title={names}>{words}</b>
      <span>{t(isFromLink ? 'receivedByLink' : 'received', { at: format.dateTime(receivedAt) })}</span>
    </div>
  )
}

function Remarks({ check, changed }: { check: InvoiceCheck; changed: ReadonlySet<CheckKey> }) {
  const { t } = useTranslation(['invoice-check', 'invoice-list'])
  const format = useFormat()
  const { problem, notes, status, differenceKind, approvalReason } = check
  return (
    <>
      {changed.size > 0 ? (
        <Notice tone="warn" isUrgent>
          {t('changed', { names: [...changed].map((key) => t(`key.${key}`)).join(', ') })}
        </Notice>
      ) : null}
      {problem === null ? null : (
        <Notice tone="warn">
          <b>{t(`problem.kind.${problem.kind}`)}</b>
          {/* Who has said nothing more has said the kind. */}
          {problem.text === t(`problem.kind.${problem.kind}`) ? null : (
            <span className={classes.words}>: {problem.text}</span>
          )}
          <br />
          {[
            t(`problem.waits.${problem.waitsFor}`),
            problem.openedBy?.title,
            format.dateTime(problem.openedAt),
            problem.isTold ? t('problem.told') : null,
            problem.stopsTerm ? t('problem.stopped') : null,
          ]
            .filter(Boolean)
            .join(' · ')}
        </Notice>
      )}
      {isReceivedInvoice(status) || isHeldInvoice(status) ? null : (
        <Notice>
          {[
            t('isStatus', { status: t(`invoice-list:status.${status}`) }),
            differenceKind === null ? null : t('differenceFor', { kind: t(`answer.${differenceKind}`) }),
            approvalReason,
          ]
            .filter(Boolean)
            .join(' · ')}
        </Notice>
      )}
      {notes === null ? null : (
        <Notice icon="note">
          {t('carrierSays')} {notes}
        </Notice>
      )}
    </>
  )
}

function Line({
  line,
  currency,
  isChanged,
  onPod,
  children,
}: {
  line: CheckLine
  currency: string
  isChanged: boolean
  onPod: () => void
  children: ReactNode
}) {
  const { t } = useTranslation('invoice-check')
  const words = useCheckWords()
  const found = words.found(line, currency)
  return (
    <div className={classes.line} data-level={line.level} data-key={line.key} data-changed={isChanged || undefined}>
      <Light level={line.level} label={t(`level.${line.level}`)} />
      <span className={classes.lineName}>{t(`key.${line.key}`)}</span>
      <output className={classes.found} data-end={line.key === 'amount' || line.key === 'vat' || undefined}>
        {found ?? '–'}
      </output>
      <span className={classes.expected}>
        {words.expected(line)} {children}
        {line.key === 'pod' ? (
          <>
            {' '}
            <button type="button" className={classes.link} onClick={onPod}>
              {t('showPod')}
            </button>{' '}
            <span className={classes.desk}>
              <KeyHint>O</KeyHint>
            </span>
          </>
        ) : null}
      </span>
    </div>
  )
}

/** What the money is for that was not agreed, and what it leaves. */
function Difference({
  check,
  line,
  answers,
  onAnswer,
}: {
  check: InvoiceCheck
  line: CheckLine
  answers: Answers
  onAnswer: (answers: Partial<Answers>) => void
}) {
  const { t } = useTranslation('invoice-check')
  const format = useFormat()
  const fieldErrorText = useFieldErrorText()
  const { differenceCents, toleranceCents, agreedCents } = line.expected.values as Record<string, number>
  const isMissing = answers.refused.includes('answers.amount') && answers.difference === null
  return (
    <fieldset className={classes.answer} data-missing={isMissing || undefined}>
      <legend className={classes.srOnly}>{t('difference.title')}</legend>
      <p className={classes.answerTitle}>
        {t('difference.what', { amount: format.euro(Math.abs(differenceCents!)) })}{' '}
        <span>{t('difference.tolerance', { amount: format.euro(toleranceCents!) })}</span>
      </p>
      {isMissing ? <p className={classes.missing}>{fieldErrorText('required')}</p> : null}
      <div className={classes.options}>
        {ANSWERS.map((answer, index) => (
          <label
            key={answer}
            className={classes.option}
            data-on={answers.difference === answer || undefined}
            data-wide={answer === 'not_agreed' || undefined}
          >
            <input
              type="radio"
              name="difference"
              checked={answers.difference === answer}
              onChange={() => onAnswer({ difference: answer, refused: [] })}
            />
            <span>
              {answer === 'not_agreed'
                ? t('answer.not_agreed', { amount: format.euro(agreedCents!) })
                : t(`answer.${answer}`)}
            </span>
            <KeyHint>{index + 1}</KeyHint>
          </label>
        ))}
      </div>
      <MarginAfter check={check} />
    </fieldset>
  )
}

function MarginAfter({ check: { margin, marginWarningBp } }: { check: InvoiceCheck }) {
  const { t } = useTranslation('invoice-check')
  const words = useMarginWords()
  if (margin === null) return null
  return (
    <p className={classes.marginAfter}>
      {t('margin.ofOrder')} <s>{words(margin.before)}</s> →{' '}
      <MoneyText isStrong tone={toneOf(margin.after, marginWarningBp)}>
        {words(margin.after)}
      </MoneyText>
    </p>
  )
}

type Margin = NonNullable<InvoiceCheck['margin']>['after']

/** Red below zero, amber under what the company has set, green else. */
const toneOf = ({ incomeCents, marginBp }: Margin, warningBp: number): MoneyTone =>
  incomeCents < 0 ? 'negative' : marginBp !== null && marginBp < warningBp ? 'low' : 'positive'

function useMarginWords() {
  const format = useFormat()
  return ({ incomeCents, marginBp }: Margin) =>
    [format.euro(incomeCents), marginBp === null ? null : `${format.number(marginBp / 100, 1, 1)}\u00A0%`]
      .filter(Boolean)
      .join(' · ')
}

function Reason({ answers, onAnswer }: { answers: Answers; onAnswer: (answers: Partial<Answers>) => void }) {
  const { t } = useTranslation('invoice-check')
  const fieldErrorText = useFieldErrorText()
  const isMissing = answers.refused.includes('reason') && answers.reason.trim() === ''
  return (
    <div className={classes.reason}>
      <TextAreaField
        label={t('reason.label')}
        hint={t('reason.hint')}
        isRequired
        value={answers.reason}
        error={isMissing ? fieldErrorText('reason_missing') : undefined}
        maxLength={2000}
        minRows={2}
        onChange={(event) => onAnswer({ reason: event.currentTarget.value })}
      />
    </div>
  )
}

function OrderFoot({ check: { orders, margin, marginWarningBp } }: { check: InvoiceCheck }) {
  const { t } = useTranslation('invoice-check')
  const format = useFormat()
  const words = useMarginWords()
  if (orders.length === 0) return null
  return (
    <footer className={classes.order}>
      {orders.slice(0, 3).map((order, index) => (
        <div key={order.id}>
          <div className={classes.orderLine}>
            <b>
              {t('order')}{' '}
              {hasAccess(ORDER_ACCESS) ? (
                <Link to={`/orders/${order.id}/edit` as string}>{order.title}</Link>
              ) : (
                order.title
              )}
            </b>
            {index === 0 && margin !== null ? (
              <span className={classes.orderMargin}>
                {t('margin.short')}{' '}
                <MoneyText isStrong tone={toneOf(margin.after, marginWarningBp)}>
                  {words(margin.after)}
                </MoneyText>
              </span>
            ) : null}
          </div>
          <div className={classes.lane}>
            <Place code={order.fromCountryCode} city={order.fromCity} /> →{' '}
            <Place code={order.toCountryCode} city={order.toCity} />
            {order.priceCents === null ? '' : ` · ${t('price', { amount: format.euro(order.priceCents) })}`}
          </div>
        </div>
      ))}
    </footer>
  )
}

function Place({ code, city }: { code: string | null; city: string | null }) {
  return (
    <>
      {code === null ? null : <CountryCode code={code} />} {city}
    </>
  )
}
