import { Button } from '@mantine/core'
import type { BilledLine, Sale } from '@waybill/contract/invoice/correction'
import type { Language } from '@waybill/contract/errors'
import type { Invoice } from '@waybill/contract/invoice/invoice'
import { useTranslation } from 'react-i18next'
import { SectionError } from '../../../kit/api/section-error.tsx'
import { FormNumber } from '../../../kit/form/fields/fields.tsx'
import { useField, useFormContext, useFormValue } from '../../../kit/form/state/form-context.ts'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import { useShortcut } from '../../../kit/shortcuts/shortcuts.ts'
import { CheckField } from '../../../ui/fields/check-field.tsx'
import { SkeletonLines } from '../../../ui/marks/skeleton.tsx'
import { Notice } from '../../../ui/notices/notice.tsx'
import { Section } from '../../../ui/page/section.tsx'
import { InvoiceLines } from '../invoice-lines.tsx'
import type { LineValues } from '../invoice-values.ts'
import {
  allToZero,
  comparedSums,
  correctedFrom,
  differenceOf,
  takesAllBack,
  typedLine,
  type ComparedSums,
} from './correction-values.ts'
import classes from './correction.module.css'
import { KindCards, type CorrectionKind } from './kind-cards.tsx'
import { ReasonFields } from './reason-fields.tsx'
import { useSale } from './use-sale.ts'

/** A correction: in full or in part, why, and its lines as invoiced, as they should be, and the difference. */
export function CorrectionSections({ invoice }: { invoice: Invoice }) {
  const { t } = useTranslation('invoice-correction')
  const { isReadOnly } = useFormContext()
  const { data, error, refetch } = useSale(invoice)
  if (error && data === undefined)
    return <SectionError title={t('lines.title')} error={error} onRetry={() => void refetch()} />
  if (data === undefined)
    return (
      <Section title={t('lines.title')}>
        <SkeletonLines lines={4} label={t('lines.title')} />
      </Section>
    )
  return (
    <>
      {isReadOnly ? null : <Kind sale={data} />}
      <Reason language={invoice.language as Language} />
      <Lines sale={data} invoice={invoice} />
    </>
  )
}

const useLines = () => useFormValue<LineValues[] | null>('lines') ?? []

function Kind({ sale: { billed } }: { sale: Sale }) {
  const { t } = useTranslation('invoice-correction')
  const format = useFormat()
  const { set } = useFormContext()
  const lines = useLines()
  const value: CorrectionKind = takesAllBack(billed.lines, lines) ? 'full' : 'partial'
  const choose = (kind: CorrectionKind) => {
    if (kind !== value) set('lines', kind === 'full' ? allToZero(billed.lines, lines) : [])
  }
  useShortcut({ key: '1', label: t('kind.full.name'), run: () => choose('full') })
  useShortcut({ key: '2', label: t('kind.partial.name'), run: () => choose('partial') })
  return (
    <section className={classes.kind}>
      <KindCards hasKeys value={value} onChange={choose} takesBack={format.euro(-billed.totalCents)} />
    </section>
  )
}

function Reason({ language }: { language: Language }) {
  const { t } = useTranslation('invoice-correction')
  const { value, set, error, isChanged, isReadOnly } = useField<string | null | undefined>('correctionReason')
  return (
    <Section title={t('reason.title')} summary={t('reason.means')}>
      {isReadOnly ? (
        <p className={classes.said}>{value}</p>
      ) : (
        <ReasonFields
          name="correctionReason"
          value={value ?? ''}
          onChange={(text) => set(text || null)}
          language={language}
          error={error}
          isChanged={isChanged}
        />
      )}
    </Section>
  )
}

function Lines({ sale, invoice }: { sale: Sale; invoice: Invoice }) {
  const { t } = useTranslation('invoice-correction')
  const format = useFormat()
  const { isReadOnly, set } = useFormContext()
  const lines = useLines()
  const { billed } = sale
  const shown = billed.lines.filter(
    ({ lineId, quantity }) =>
      lines.some(({ correctsLineId }) => correctsLineId === lineId) || (quantity !== 0 && !isReadOnly),
  )
  const sums = comparedSums(billed, billed.lines, lines)
  return (
    <Section
      title={t('lines.title')}
      summary={t('lines.means')}
      isFlush
      actions={
        isReadOnly ? null : (
          <Button
            size="compact-sm"
            variant="subtle"
            onClick={() =>
              set('lines', [...allToZero(billed.lines, lines), ...lines.filter((line) => line.correctsLineId == null)])
            }
          >
            {t('lines.allToZero')}
          </Button>
        )
      }
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard, too */}
      <div className={classes.scroll} tabIndex={0} role="group" aria-label={t('lines.title')}>
        <table className={classes.table}>
          <colgroup>
            <col className={classes.tick} />
            <col />
            <col className={classes.quantity} />
            <col className={classes.price} />
            <col className={classes.net} />
            <col className={classes.quantityNow} />
            <col className={classes.priceNow} />
            <col className={classes.net} />
          </colgroup>
          <thead>
            <tr>
              <td />
              <th scope="col">{t('lines.text')}</th>
              <th scope="col">{t('lines.quantity')}</th>
              <th scope="col">{t('lines.price')}</th>
              <th scope="col" data-edge>
                {t('lines.net')}
              </th>
              <th scope="col">{t('lines.quantityNow')}</th>
              <th scope="col">{t('lines.priceNow')}</th>
              <th scope="col">{t('lines.difference')}</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((line, index) => (
              <Row key={line.lineId} billed={line} number={index + 1} lines={lines} />
            ))}
          </tbody>
          <Sums sums={sums} />
        </table>
      </div>
      <InvoiceLines invoice={invoice} isPart />
      {isReadOnly ? null : (
        <div className={classes.outcome}>
          <Notice icon="link">
            {t('lines.outcome', { owed: format.euro(sale.owedCents + sums.total.difference) })}
          </Notice>
        </div>
      )}
    </Section>
  )
}

function Row({ billed, number, lines }: { billed: BilledLine; number: number; lines: readonly LineValues[] }) {
  const { t } = useTranslation('invoice-correction')
  const format = useFormat()
  const { isReadOnly, set } = useFormContext()
  const at = lines.findIndex(({ correctsLineId }) => correctsLineId === billed.lineId)
  const line = lines[at]
  const now = line === undefined ? billed : typedLine(line)
  const difference = line === undefined ? 0 : differenceOf(billed, line)
  const isTyped = line !== undefined && !isReadOnly
  return (
    <tr data-changed={line !== undefined || undefined}>
      <td>
        {isReadOnly ? null : (
          <CheckField
            aria-label={t('lines.correct', { number })}
            checked={line !== undefined}
            onChange={() =>
              set('lines', line === undefined ? [...lines, correctedFrom(billed)] : lines.toSpliced(at, 1))
            }
          />
        )}
      </td>
      <th scope="row">
        <span title={billed.text}>{billed.text}</span>
      </th>
      <td>{format.number(billed.quantity, 0, 3)}</td>
      <td>{format.money(billed.unitPriceCents)}</td>
      <td data-edge>{format.money(billed.netCents)}</td>
      <td data-field={isTyped || undefined}>
        {isTyped ? (
          <FormNumber name={`lines.${at}.correctedQuantity`} label={t('lines.quantityOf', { number })} places={3} />
        ) : now === null ? (
          '–'
        ) : (
          format.number(now.quantity, 0, 3)
        )}
      </td>
      <td data-field={isTyped || undefined}>
        {isTyped ? (
          <FormNumber
            name={`lines.${at}.correctedUnitPriceCents`}
            label={t('lines.priceOf', { number })}
            places={2}
            hasFixedPlaces
            factor={100}
          />
        ) : now === null ? (
          '–'
        ) : (
          format.money(now.unitPriceCents)
        )}
      </td>
      <td data-difference data-less={(difference ?? 0) < 0 || undefined}>
        {difference === null ? '–' : format.money(difference)}
      </td>
    </tr>
  )
}

function Sums({ sums: { groups, net, total } }: { sums: ComparedSums }) {
  const { t } = useTranslation('invoice-correction')
  const format = useFormat()
  const row = (key: string, label: string, { before, after, difference }: ComparedSums['net']) => (
    <tr key={key} data-total={key === 'total' || undefined}>
      <td colSpan={4}>{label}</td>
      <td data-edge>{format.money(before)}</td>
      <td colSpan={2}>{format.money(after)}</td>
      <td data-less={difference < 0 || undefined}>{format.money(difference)}</td>
    </tr>
  )
  return (
    <tfoot>
      {row('net', t('lines.netSum'), net)}
      {groups.map((group) =>
        row(`${group.vatBp} ${group.vatCategory}`, t('lines.vat', { rate: format.percent(group.vatBp) }), group),
      )}
      {row('total', t('lines.total'), total)}
    </tfoot>
  )
}
