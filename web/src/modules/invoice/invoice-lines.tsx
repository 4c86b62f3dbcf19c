import { Button } from '@mantine/core'
import type { Invoice } from '@waybill/contract/invoice/invoice'
import { lineNetCents } from '@waybill/contract/invoice/totals'
import { VAT_CATEGORIES } from '@waybill/contract/invoice/vat'
import { useTranslation } from 'react-i18next'
import { FormNumber, FormTextArea } from '../../kit/form/fields/fields.tsx'
import { useField, useFormContext, useFormValue } from '../../kit/form/state/form-context.ts'
import { focusNew } from '../../kit/form/state/focus-path.ts'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { Icon } from '../../ui/marks/icon.tsx'
import { IconButton } from '../../ui/marks/icon-button.tsx'
import { ReadOnlyField } from '../../ui/fields/field.tsx'
import { SelectField } from '../../ui/fields/select-field.tsx'
import classes from './invoice-form.module.css'
import { newLine, sumsOf, type LineValues } from './invoice-values.ts'

/**
 * The lines, and the sums that follow from them while one types. `isPart`: of a correction those that it adds, without
 * sums.
 */
export function InvoiceLines({ invoice, isPart = false }: { invoice: Invoice; isPart?: boolean }) {
  const { t } = useTranslation('invoice')
  const { isReadOnly, set } = useFormContext()
  const lines = useFormValue<LineValues[] | null>('lines') ?? []
  return (
    <>
      <ol className={classes.lines}>
        {lines.map((line, index) =>
          isPart && line.correctsLineId != null ? null : (
            // A new line has no id yet, and lines are not moved: the place is the key.
            <li key={line.id ?? `new-${index}`} className={classes.line}>
              <Line
                index={index}
                line={line}
                onRemove={isReadOnly ? null : () => set('lines', lines.toSpliced(index, 1))}
              />
            </li>
          ),
        )}
      </ol>
      {isReadOnly ? null : (
        <div className={classes.addLine}>
          <Button
            size="compact-sm"
            variant="subtle"
            leftSection={<Icon name="plus" />}
            onClick={() => {
              set('lines', [...lines, newLine(lines, invoice.orderIds[0] ?? null)])
              focusNew(`lines.${lines.length}.text`)
            }}
          >
            {t('addLine')}
          </Button>
        </div>
      )}
      {isPart ? null : <Sums invoice={invoice} lines={lines} />}
    </>
  )
}

function Line({ index, line, onRemove }: { index: number; line: LineValues; onRemove: (() => void) | null }) {
  const { t } = useTranslation('invoice')
  const format = useFormat()
  const category = useField<LineValues['vatCategory']>(`lines.${index}.vatCategory`)
  const at = (field: string) => `lines.${index}.${field}`
  const hasNet =
    line.quantity !== null &&
    line.unitPriceCents !== null &&
    !Number.isNaN(line.quantity) &&
    !Number.isNaN(line.unitPriceCents)
  return (
    <>
      <div className={classes.lineText}>
        <FormTextArea
          name={at('text')}
          label={t('lineFields.text')}
          isRequired
          minRows={1}
          maxRows={6}
          maxLength={2000}
        />
      </div>
      <FormNumber name={at('quantity')} label={t('lineFields.quantity')} places={3} />
      <FormNumber
        name={at('unitPriceCents')}
        label={t('lineFields.unitPriceCents')}
        unit="€"
        places={2}
        hasFixedPlaces
        factor={100}
      />
      <FormNumber name={at('vatBp')} label={t('lineFields.vatBp')} unit="%" places={2} factor={100} />
      {category.isReadOnly ? (
        <ReadOnlyField label={t('lineFields.vatCategory')}>{t(`category.${category.value}`)}</ReadOnlyField>
      ) : (
        <SelectField
          name={at('vatCategory')}
          label={t('lineFields.vatCategory')}
          data={VAT_CATEGORIES.map((value) => ({ value, label: t(`category.${value}`) }))}
          value={category.value}
          error={category.error}
          isChanged={category.isChanged}
          allowDeselect={false}
          onChange={(value) => value !== null && category.set(value as LineValues['vatCategory'])}
        />
      )}
      <div className={classes.lineNet}>
        <span>{t('net')}</span>
        <b>
          {hasNet
            ? format.money(lineNetCents({ quantity: line.quantity!, unitPriceCents: line.unitPriceCents! }))
            : '–'}
        </b>
      </div>
      <div className={classes.lineRemove}>
        {onRemove === null ? null : (
          <IconButton icon="trash" label={t('removeLine', { number: index + 1 })} onClick={onRemove} />
        )}
      </div>
    </>
  )
}

function Sums({ invoice, lines }: { invoice: Invoice; lines: readonly LineValues[] }) {
  const { t } = useTranslation('invoice')
  const format = useFormat()
  const sums = sumsOf(lines)
  const noteOf = (vatBp: number, vatCategory: string) =>
    invoice.vatGroups.find((group) => group.vatBp === vatBp && group.vatCategory === vatCategory)?.note
  return (
    <dl className={classes.sums}>
      <dt>{t('netSum')}</dt>
      <dd>{format.euro(sums.amountCents)}</dd>
      {sums.vatGroups.map((group) => (
        <div key={`${group.vatBp} ${group.vatCategory}`} className={classes.sumRow}>
          <dt>
            {t('vatOn', { rate: format.percent(group.vatBp), net: format.euro(group.netCents) })}
            {noteOf(group.vatBp, group.vatCategory) ? <small>{noteOf(group.vatBp, group.vatCategory)}</small> : null}
          </dt>
          <dd>{format.euro(group.vatCents)}</dd>
        </div>
      ))}
      <dt className={classes.sumTotal}>{t('total')}</dt>
      <dd className={classes.sumTotal}>{format.euro(sums.totalCents)}</dd>
    </dl>
  )
}
