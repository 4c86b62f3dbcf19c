import type { MailBlock } from '@waybill/contract/mail-blocks'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import { Segmented } from '../../../ui/fields/segmented.tsx'
import { IconButton } from '../../../ui/marks/icon-button.tsx'
import { useEditorTools } from '../editor/editor-tools.ts'
import { VariableChip } from '../text/static-text.tsx'
import classes from './blocks.module.css'
import { FieldSelect } from './field-select.tsx'

// Few conditions name values.
const TagsInput = lazy(() => import('./tags-input.ts').then((file) => ({ default: file.TagsInput })))

type Condition = NonNullable<MailBlock['onlyIf']>

/** When a block is part of the mail, in words. */
export function OnlyIfWords({ condition: { variable, equals } }: { condition: Condition }) {
  const { t } = useTranslation('mail-template')
  const format = useFormat()
  return (
    <div className={classes.condition}>
      {t('onlyIf.title')} <VariableChip name={variable} />{' '}
      {equals === null ? t('onlyIf.isThere') : t('onlyIf.isOneOf', { values: format.list(equals) })}
    </div>
  )
}

interface OnlyIfFieldsProps {
  condition: Condition
  path: string
  onChange: (condition: MailBlock['onlyIf']) => void
}

/** The condition of the block in hand: which field, and whether any value will do. */
export function OnlyIfFields({ condition, path, onChange }: OnlyIfFieldsProps) {
  const { t } = useTranslation('mail-template')
  const { values } = useEditorTools()
  const { variable, equals } = condition
  const now = values[variable]
  return (
    <div className={classes.condition} role="group" aria-label={t('onlyIf.title')}>
      <span>{t('onlyIf.title')}</span>
      <FieldSelect
        label={t('onlyIf.field')}
        value={variable}
        path={`${path}.variable`}
        onChange={(key) => onChange({ variable: key, equals: equals === null ? null : [] })}
      />
      <Segmented
        isSmall
        label={t('onlyIf.how')}
        value={equals === null ? 'isThere' : 'isOneOf'}
        onChange={(how) => onChange({ variable, equals: how === 'isThere' ? null : now === undefined ? [] : [now] })}
        options={[
          { value: 'isThere', label: t('onlyIf.isThere') },
          { value: 'isOneOf', label: t('onlyIf.isOne') },
        ]}
      />
      {equals === null ? null : (
        <Suspense>
          <TagsInput
            className={classes.values}
            aria-label={t('onlyIf.values')}
            name={`${path}.equals`}
            placeholder={equals.length === 0 ? t('onlyIf.valuesHint') : ''}
            maxTags={20}
            maxLength={200}
            value={equals}
            acceptValueOnBlur
            onChange={(next) => onChange({ variable, equals: next })}
          />
        </Suspense>
      )}
      <IconButton icon="close" isSmall label={t('onlyIf.remove')} onClick={() => onChange(null)} />
    </div>
  )
}
