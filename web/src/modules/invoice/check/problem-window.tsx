import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import {
  getProblemMail,
  holdInvoice,
  PROBLEM_KINDS,
  WAITS_FOR_WHOM,
  type InvoiceCheck,
  type ProblemKind,
  type WaitsForWhom,
} from '@waybill/contract/invoice/checking'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi, newIdempotencyKey } from '../../../kit/api/call-api.ts'
import type { Draft, DraftKey } from '../../../kit/form/state/draft-store.ts'
import { draftKeyOf } from '../../../kit/form/state/use-form-record.ts'
import { useKeptTyping, useUnsaved } from '../../../kit/form/state/use-kept-typing.ts'
import { isSame } from '../../../kit/form/state/values.ts'
import { useFieldErrorText, useRefusalWords } from '../../../kit/i18n/error-text.ts'
import { LANGUAGE_NAMES } from '../../../kit/i18n/languages.ts'
import { CheckField } from '../../../ui/fields/check-field.tsx'
import { TextAreaField, TextField } from '../../../ui/fields/field.tsx'
import { Segmented } from '../../../ui/fields/segmented.tsx'
import { KeyHint } from '../../../ui/marks/marks.tsx'
import { RefusalsNotice } from '../../../ui/notices/refusals-notice.tsx'
import { ModalFrame } from '../../../ui/windows/confirm-modal.tsx'
import { StatusBadge } from '../../../ui/marks/status-badge.tsx'
import { RefusedAddresses } from '../../email/refused-address-section.tsx'
import classes from './check.module.css'

interface ProblemWindowProps {
  check: InvoiceCheck
  /** what somebody has said already */
  kind: ProblemKind | null
  onClose: () => void
  onHeld: (held: InvoiceCheck) => void
}

interface Mail {
  to: string
  subject: string
  text: string
}

/** Which problem an invoice most likely has, by its checks. */
function likelyKind({ checks }: InvoiceCheck): ProblemKind {
  const levelOf = (key: string) => checks.find((check) => check.key === key)!
  if (levelOf('pod').level === 'stop') return 'pod_missing'
  if (levelOf('pod').level === 'look') return 'pod_unusable'
  if (levelOf('amount').level === 'look') return 'amount'
  if (levelOf('vat').level === 'stop') return 'vat'
  return levelOf('iban').level === 'stop' ? 'iban' : 'other'
}

const MOST_SIGNS = 2000

/** What a person has said of a problem, inside and to the carrier; too long for one text, it is what stays inside. */
function ownWords(note: string, told = ''): string {
  const said = [note.trim(), told.trim()].filter((words) => words !== '')
  const all = said.join('\n')
  return all.length > MOST_SIGNS ? said[0]! : all
}

/** What is wrong with an invoice, who has to do something, and the mail to its carrier. */
export function ProblemWindow(props: ProblemWindowProps) {
  const draftKey = draftKeyOf({ path: 'invoices/problem' }, props.check.id)
  const unsaved = useUnsaved<TypedProblem>(draftKey)
  return unsaved === undefined ? null : <Window {...props} draftKey={draftKey} unsaved={unsaved} />
}

interface TypedProblem {
  kind: ProblemKind
  note: string
  waitsFor: WaitsForWhom
  stopsTerm: boolean
  writes: boolean
  /** Where it differs from what is proposed */
  mail: Partial<Mail>
}

interface WindowProps extends ProblemWindowProps {
  draftKey: DraftKey
  /** What was typed before on this device, and not confirmed */
  unsaved: Draft<TypedProblem> | null
}

function Window({ check, kind: given, onClose, onHeld, draftKey, unsaved }: WindowProps) {
  const { t } = useTranslation(['invoice-check', 'invoice-list'])
  const fieldErrorText = useFieldErrorText()
  const refusalWords = useRefusalWords()
  const [first] = useState<TypedProblem>({
    kind: given ?? likelyKind(check),
    note: '',
    waitsFor: 'carrier',
    stopsTerm: false,
    writes: true,
    mail: {},
  })
  const [values, setValues] = useState(unsaved?.values ?? first)
  const { kind, note, waitsFor, stopsTerm, writes, mail: typed } = values
  const change = (part: Partial<TypedProblem>) => setValues((before) => ({ ...before, ...part }))
  const kept = useKeptTyping(draftKey, { values: isSame(values, first) ? null : values, base: first, version: null })
  const close = () => {
    void kept.forget()
    onClose()
  }
  const [isTried, setTried] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [refusals, setRefusals] = useState<readonly string[]>([])
  const { data } = useQuery({
    queryKey: ['invoices', check.id, 'problem-mail', kind],
    queryFn: ({ signal }) => callApi(getProblemMail, { params: { id: check.id }, query: { kind }, signal }),
    meta: { showsRefusals: true },
  })
  const draft = data?.mail ?? null
  const mail: Mail | null =
    draft === null ? null : { to: draft.to ?? '', subject: draft.subject, text: draft.text, ...typed }
  const isWriting = writes && mail !== null
  const text = ownWords(note, isWriting && typed.text !== draft!.text ? typed.text : '') || t(`problem.kind.${kind}`)
  const needsNote = kind === 'other' && note.trim() === ''
  const isAddressMissing = isWriting && mail.to.trim() === ''
  const choose = (next: ProblemKind) =>
    // What somebody has typed was about another problem.
    change({ kind: next, mail: typed.to === undefined ? {} : { to: typed.to } })
  const submit = async () => {
    setTried(true)
    if (needsNote || isAddressMissing || (writes && data === undefined)) return
    setBusy(true)
    try {
      const held = await callApi(holdInvoice, {
        params: { id: check.id },
        version: check.version,
        idempotencyKey: newIdempotencyKey(),
        body: { kind, text, waitsFor, stopsTerm, mail: isWriting ? mail : null },
      })
      await kept.forget()
      onHeld(held)
    } catch (error) {
      setRefusals(refusalWords(error))
    } finally {
      setBusy(false)
    }
  }
  const byNumber = (event: React.KeyboardEvent) => {
    const picked = PROBLEM_KINDS[Number(event.key) - 1]
    const isTyping =
      (event.target as HTMLElement).closest('textarea, input:not([type=radio], [type=checkbox])') !== null
    if (picked !== undefined && !isTyping && !event.ctrlKey && !event.altKey && !event.metaKey) choose(picked)
  }
  return (
    <ModalFrame
      isOpen
      onClose={close}
      title={t('problem.title', { number: check.number ?? check.innerNumber })}
      closeLabel={t('close')}
      onSubmit={() => void submit()}
      footer={
        <>
          <Button onClick={close}>{t('cancel')}</Button>
          <Button type="submit" variant="filled" loading={isBusy}>
            {t(isWriting ? 'problem.confirmMail' : 'problem.confirm')}
          </Button>
        </>
      }
    >
      <div className={classes.problem} role="group" aria-label={t('problem.which')} onKeyDown={byNumber}>
        <RefusalsNotice refusals={refusals} />
        <p>
          {t('problem.becomes')} <StatusBadge status="in_progress">{t('invoice-list:status.in_progress')}</StatusBadge>
        </p>
        <fieldset className={classes.kinds}>
          <legend className={classes.srOnly}>{t('problem.which')}</legend>
          {PROBLEM_KINDS.map((one, index) => (
            <label key={one} className={classes.option} data-on={one === kind || undefined}>
              <input type="radio" name="problem" checked={one === kind} onChange={() => choose(one)} />
              <span>{t(`problem.kind.${one}`)}</span>
              <KeyHint>{index + 1}</KeyHint>
            </label>
          ))}
        </fieldset>
        <TextAreaField
          label={t('problem.note')}
          note={t('problem.inside')}
          isRequired={kind === 'other'}
          value={note}
          error={isTried && needsNote ? fieldErrorText('required') : undefined}
          maxLength={MOST_SIGNS}
          minRows={1}
          onChange={(event) => change({ note: event.currentTarget.value })}
        />
        <div className={classes.waits}>
          <span>{t('problem.waitsFor')}</span>
          <Segmented
            isSmall
            label={t('problem.waitsFor')}
            value={waitsFor}
            onChange={(waitsFor) => change({ waitsFor })}
            options={WAITS_FOR_WHOM.map((value) => ({ value, label: t(`problem.whom.${value}`) }))}
          />
        </div>
        <CheckField
          label={t('problem.stopsTerm')}
          checked={stopsTerm}
          onChange={(event) => change({ stopsTerm: event.currentTarget.checked })}
        />
        {data !== undefined && mail === null ? (
          <p className={classes.hint}>{t('problem.noRoute')}</p>
        ) : (
          <CheckField
            label={t('problem.write')}
            checked={writes}
            onChange={(event) => change({ writes: event.currentTarget.checked })}
          />
        )}
        {isWriting ? (
          <div className={classes.mail}>
            <TextField
              label={t('problem.to')}
              isRequired
              type="email"
              value={mail.to}
              error={isTried && isAddressMissing ? fieldErrorText('required') : undefined}
              maxLength={250}
              onChange={(event) => change({ mail: { ...typed, to: event.currentTarget.value } })}
            />
            <RefusedAddresses addresses={[mail.to]} />
            <TextField
              label={t('problem.subject')}
              isRequired
              value={mail.subject}
              maxLength={250}
              onChange={(event) => change({ mail: { ...typed, subject: event.currentTarget.value } })}
            />
            <TextAreaField
              label={t('problem.text')}
              note={LANGUAGE_NAMES[draft!.language]}
              hint={t(draft!.hasLink ? 'problem.textHint' : 'problem.textHintWithoutLink')}
              isRequired
              value={mail.text}
              maxLength={MOST_SIGNS}
              minRows={2}
              onChange={(event) => change({ mail: { ...typed, text: event.currentTarget.value } })}
            />
          </div>
        ) : null}
      </div>
    </ModalFrame>
  )
}
