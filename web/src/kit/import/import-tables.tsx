import { Button, Select, TextInput } from '@mantine/core'
import type { ImportFix, ImportResult } from '@waybill/contract/kit/import'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './import-page.module.css'

interface FaultTableProps {
  faults: ImportResult['faults']
  isBusy: boolean
  onMend: (fixes: readonly ImportFix[]) => void
}

/** What is wrong, cell by cell, and the place to mend it without leaving the page. */
export function FaultTable({ faults, isBusy, onMend }: FaultTableProps) {
  const { t } = useTranslation('import')
  const [typed, setTyped] = useState<ReadonlyMap<string, ImportFix>>(new Map())
  const type = (row: number, column: number, value: string) =>
    setTyped(new Map(typed).set(`${row}:${column}`, { row, column, value }))
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        onMend([...typed.values()])
      }}
    >
      <FindingTable findings={faults} said={t('fault')} className={classes.fault} mend={{ typed, type }} />
      <div className={classes.foot}>
        <Button type="submit" size="compact-sm" disabled={isBusy || typed.size === 0}>
          {t('check')}
        </Button>
        <span>{t('mendMeans')}</span>
      </div>
    </form>
  )
}

/** What may be meant so and looks like a slip: it is taken in all the same. */
export function DoubtTable({ doubts }: { doubts: ImportResult['doubts'] }) {
  const { t } = useTranslation('import')
  return <FindingTable findings={doubts} said={t('doubt')} className={classes.doubt} />
}

type Finding = ImportResult['faults'][number]

interface FindingTableProps {
  findings: readonly Finding[]
  /** The head of what is said of each */
  said: string
  className: string | undefined
  /** With it each value stands in a field: what was typed so far, and what is typed now */
  mend?: { typed: ReadonlyMap<string, ImportFix>; type: (row: number, column: number, value: string) => void }
}

/** What was found in a file, cell by cell. */
function FindingTable({ findings, said, className, mend }: FindingTableProps) {
  const { t } = useTranslation('import')
  return (
    <div className={classes.scroll}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">{t('line')}</th>
            <th scope="col">{t('field')}</th>
            <th scope="col">{t('value')}</th>
            <th scope="col">{said}</th>
          </tr>
        </thead>
        <tbody>
          {findings.map((finding) => (
            <tr key={`${finding.row}:${finding.field}:${finding.code}`} className={classes.faultRow}>
              <td className={classes.line}>
                <span className={classes.lineWord}>{t('line')} </span>
                {finding.line}
              </td>
              <td className={classes.field}>{finding.fieldTitle}</td>
              <td>
                {mend === undefined ? (
                  finding.value
                ) : finding.column === null ? (
                  t('noColumn')
                ) : (
                  <TextInput
                    size="xs"
                    aria-label={t('mend', { line: finding.line, field: finding.fieldTitle })}
                    value={mend.typed.get(`${finding.row}:${finding.column}`)?.value ?? finding.value}
                    maxLength={4000}
                    autoComplete="off"
                    onChange={(event) => mend.type(finding.row, finding.column!, event.currentTarget.value)}
                  />
                )}
              </td>
              <td className={className}>{finding.message}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface ColumnTableProps {
  result: ImportResult
  isBusy: boolean
  onChange: (columns: readonly (string | null)[]) => void
}

/** Which field each column of the file fills. */
export function ColumnTable({ result: { columns, fields }, isBusy, onChange }: ColumnTableProps) {
  const { t } = useTranslation('import')
  const choose = (place: number, field: string | null) =>
    onChange(columns.map((column, other) => (other === place ? field : column.field === field ? null : column.field)))
  const options = fields.map(({ name, title, isRequired }) => ({
    value: name,
    label: isRequired ? `${title} *` : title,
  }))
  return (
    <div className={classes.scroll}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">{t('column')}</th>
            <th scope="col">{t('example')}</th>
            <th scope="col">{t('fills')}</th>
          </tr>
        </thead>
        <tbody>
          {columns.map(({ title, example, field }, place) => (
            // oxlint-disable-next-line react/no-array-index-key -- titles may repeat: a file's column is its place
            <tr key={place} className={classes.columnRow}>
              <td className={classes.field}>{title === '' ? t('untitled', { number: place + 1 }) : title}</td>
              <td className={classes.example} title={example}>
                {example}
              </td>
              <td>
                <Select
                  aria-label={t('fillsOf', { title: title === '' ? t('untitled', { number: place + 1 }) : title })}
                  size="xs"
                  data={options}
                  value={field}
                  placeholder={t('ignored')}
                  clearable
                  searchable
                  disabled={isBusy}
                  onChange={(next) => choose(place, next)}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
