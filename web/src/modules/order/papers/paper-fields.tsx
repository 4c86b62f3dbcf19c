import { CONTENT_MODES } from '@waybill/contract/kit/content-modes'
import { LANGUAGES, type Language } from '@waybill/contract/errors'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { TextAreaField, TextField } from '../../../ui/fields/field.tsx'
import { Segmented } from '../../../ui/fields/segmented.tsx'
import { SelectField } from '../../../ui/fields/select-field.tsx'
import classes from './papers.module.css'
import { CARRIAGE, type Paper } from './use-paper.ts'

/** What a consignment note says beside the order: its two languages, and the boxes that are seldom filled. */
export function NoteFields({ paper: { typed, set, wrongAmount, hasMore } }: { paper: Paper }) {
  const { t } = useTranslation('order-papers')
  return (
    <>
      <div className={classes.pair}>
        <LanguageField
          value={typed.first}
          other={typed.second}
          label={t('firstLanguage')}
          onChange={(first) => set({ first })}
        />
        <LanguageField
          value={typed.second}
          other={typed.first}
          label={t('secondLanguage')}
          onChange={(second) => set({ second })}
        />
      </div>
      {/* What comes back of an earlier typing is printed: it is not to lie hidden. */}
      <details className={classes.more} open={hasMore || undefined}>
        <summary>{t('more')}</summary>
        <div className={classes.fields}>
          <TextAreaField
            label={t('attached')}
            note="5"
            value={typed.attachedDocuments}
            maxLength={1000}
            onChange={(event) => set({ attachedDocuments: event.currentTarget.value })}
          />
          <TextAreaField
            label={t('instructions')}
            note="13"
            hint={t('instructionsMean')}
            value={typed.instructions}
            maxLength={2000}
            onChange={(event) => set({ instructions: event.currentTarget.value })}
          />
          <SelectField
            label={t('carriage')}
            note="14"
            data={CARRIAGE.map((value) => ({ value, label: t(`carriageIs.${value}`) }))}
            value={typed.carriageIs}
            clearable
            placeholder={t('leftFree')}
            onChange={(value) => set({ carriageIs: CARRIAGE.find((one) => one === value) ?? null })}
          />
          <div className={classes.pair}>
            <TextField
              label={t('cashOnDelivery')}
              note="15"
              isNumeric
              rightSection="€"
              inputMode="decimal"
              maxLength={20}
              value={typed.cashOnDelivery}
              error={wrongAmount(typed.cashOnDelivery)}
              onChange={(event) => set({ cashOnDelivery: event.currentTarget.value })}
            />
            <TextField
              label={t('declaredValue')}
              note="19"
              isNumeric
              rightSection="€"
              inputMode="decimal"
              maxLength={20}
              value={typed.declaredValue}
              error={wrongAmount(typed.declaredValue)}
              onChange={(event) => set({ declaredValue: event.currentTarget.value })}
            />
          </div>
          <TextAreaField
            label={t('agreements')}
            note="19"
            value={typed.agreements}
            maxLength={2000}
            onChange={(event) => set({ agreements: event.currentTarget.value })}
          />
        </div>
      </details>
    </>
  )
}

/** What a transport order says: its language, and the text where it is not the usual one. */
export function TransportOrderFields({ paper: { typed, set } }: { paper: Paper }) {
  const { t } = useTranslation('order-papers')
  return (
    <>
      <LanguageField value={typed.first} other={null} label={t('language.of')} onChange={(first) => set({ first })} />
      <Choice label={t('content')}>
        <Segmented
          label={t('content')}
          isSmall
          value={typed.mode}
          options={CONTENT_MODES.map((value) => ({ value, label: t(`mode.${value}`) }))}
          onChange={(mode) => set({ mode })}
        />
      </Choice>
      {typed.mode === 'standard' ? null : (
        <TextAreaField
          label={t(`text.${typed.mode}`)}
          isRequired
          minRows={4}
          value={typed.content}
          maxLength={10_000}
          onChange={(event) => set({ content: event.currentTarget.value })}
        />
      )}
    </>
  )
}

interface LanguageFieldProps {
  value: Language | null
  /** Taken by the other one of the two */
  other: Language | null
  label: string
  onChange: (language: Language | null) => void
}

function LanguageField({ value, other, label, onChange }: LanguageFieldProps) {
  const { t } = useTranslation('order-papers')
  return (
    <SelectField
      label={label}
      data={LANGUAGES.filter((one) => one !== other).map((one) => ({ value: one, label: t(`language.${one}`) }))}
      value={value}
      placeholder={t('automatic')}
      clearable
      onChange={(next) => onChange(next as Language | null)}
    />
  )
}

/** One of a few, with what it is about above it. */
function Choice({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={classes.choice}>
      <span className={classes.label} aria-hidden>
        {label}
      </span>
      {children}
    </div>
  )
}
