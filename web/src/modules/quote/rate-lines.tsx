import { Button } from '@mantine/core'
import type { Language } from '@waybill/contract/errors'
import { RATE_BASES, type RateBasis } from '@waybill/contract/quote/pricing'
import { useMemo, type ClipboardEvent, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { countryChoices } from '../../kit/i18n/country-choices.ts'
import { TextField } from '../../ui/fields/field.tsx'
import { SelectField } from '../../ui/fields/select-field.tsx'
import { IconButton } from '../../ui/marks/icon-button.tsx'
import { Icon } from '../../ui/marks/icon.tsx'
import { FigureField } from './figure-field.tsx'
import classes from './quote.module.css'
import { emptyLine, pasteLines, type LineColumn, type LineValues } from './rate-card-values.ts'

// The head of the column names the currency.
const CENTS = [2, 2] as const

interface RateLinesProps {
  lines: readonly LineValues[]
  onChange: (lines: LineValues[]) => void
}

/** The lines of a rate card; rows of a spreadsheet can be pasted into any cell. */
export function RateLines({ lines, onChange }: RateLinesProps) {
  const { t, i18n } = useTranslation('rate-card')
  const language = i18n.language as Language
  const names = useMemo(
    () => new Map(countryChoices(language).map(({ value, label }) => [value, label] as const)),
    [language],
  )
  const bases = RATE_BASES.map((value) => ({ value, label: t(`bases.${value}`) }))
  const set = (row: number, part: Partial<LineValues>) =>
    onChange(lines.map((line, place) => (place === row ? { ...line, ...part } : line)))
  const paste = (row: number, column: LineColumn) => (event: ClipboardEvent) => {
    const text = event.clipboardData.getData('text/plain')
    // One value is typed into its field as ever.
    if (!/[\t\n\r]/.test(text.trim())) return
    event.preventDefault()
    const basisOf = (typed: string): RateBasis | undefined =>
      bases.find(({ label }) => label.toLowerCase() === typed.toLowerCase())?.value
    onChange(pasteLines(lines, { row, column }, text, { language, basisOf }))
  }
  const unseen = (column: LineColumn, row: number): ReactNode => (
    <span className={classes.hidden}>{t('cell', { column: t(`columns.${column}`), row: row + 1 })}</span>
  )
  const cell = (row: number, column: LineColumn, field: ReactNode) => <td onPaste={paste(row, column)}>{field}</td>
  const country = (row: number, line: LineValues, column: 'fromCountryCode' | 'toCountryCode') =>
    cell(
      row,
      column,
      <TextField
        label={unseen(column, row)}
        maxLength={2}
        autoComplete="off"
        title={names.get(line[column])}
        error={line[column] === '' || names.has(line[column]) ? undefined : t('noCountry')}
        value={line[column]}
        onChange={(event) => set(row, { [column]: event.currentTarget.value.toUpperCase() })}
      />,
    )
  const postal = (row: number, line: LineValues, column: 'fromPostal' | 'toPostal') =>
    cell(
      row,
      column,
      <TextField
        label={unseen(column, row)}
        maxLength={60}
        autoComplete="off"
        placeholder={t('wholeCountry')}
        value={line[column]}
        onChange={(event) => set(row, { [column]: event.currentTarget.value })}
      />,
    )
  return (
    <>
      <div className={classes.gridScroll} tabIndex={0} role="region" aria-label={t('lines')}>
        <table className={classes.grid}>
          <thead>
            <tr>
              <th scope="col">{t('columns.fromCountryCode')}</th>
              <th scope="col">{t('columns.fromPostal')}</th>
              <th scope="col">{t('columns.toCountryCode')}</th>
              <th scope="col">{t('columns.toPostal')}</th>
              <th scope="col" data-number>
                {t('columns.upToLdm')}
              </th>
              <th scope="col">{t('columns.basis')}</th>
              <th scope="col" data-number>
                {t('columns.rateCents')}
              </th>
              <th scope="col" data-number>
                {t('columns.minimumCents')}
              </th>
              <th scope="col">
                <span className={classes.hidden}>{t('removeLine')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {lines.map((line, row) => (
              <tr key={line.key}>
                {country(row, line, 'fromCountryCode')}
                {postal(row, line, 'fromPostal')}
                {country(row, line, 'toCountryCode')}
                {postal(row, line, 'toPostal')}
                {cell(
                  row,
                  'upToLdm',
                  <FigureField
                    label={unseen('upToLdm', row)}
                    placeholder="–"
                    value={line.upToLdm}
                    onChange={(upToLdm) => set(row, { upToLdm })}
                  />,
                )}
                {cell(
                  row,
                  'basis',
                  <SelectField
                    label={unseen('basis', row)}
                    allowDeselect={false}
                    data={bases}
                    value={line.basis}
                    onChange={(value) => set(row, { basis: value as RateBasis })}
                  />,
                )}
                {cell(
                  row,
                  'rateCents',
                  <FigureField
                    scale={100}
                    places={CENTS}
                    label={unseen('rateCents', row)}
                    value={line.rateCents}
                    onChange={(rateCents) => set(row, { rateCents })}
                  />,
                )}
                {cell(
                  row,
                  'minimumCents',
                  <FigureField
                    scale={100}
                    places={CENTS}
                    label={unseen('minimumCents', row)}
                    value={line.minimumCents}
                    onChange={(minimumCents) => set(row, { minimumCents })}
                  />,
                )}
                <td>
                  <IconButton
                    icon="close"
                    isSmall
                    label={t('removeLineOf', { row: row + 1 })}
                    disabled={lines.length === 1}
                    onClick={() => onChange(lines.filter((_line, place) => place !== row))}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className={classes.under}>
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<Icon name="plus" />}
          onClick={() => onChange([...lines, emptyLine(lines.at(-1))])}
        >
          {t('addLine')}
        </Button>{' '}
        <span className={classes.dim}>{t('pasteMeans')}</span>
      </p>
    </>
  )
}
