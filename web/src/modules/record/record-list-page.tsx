import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useStateOfRows } from '../../kit/form/page/state-change.tsx'
import { useFormat } from '../../kit/i18n/i18n.ts'
import type { ListFilter } from '../../kit/list/filter/filters.ts'
import { ListPage } from '../../kit/list/page/list-page.tsx'
import type { ListColumn } from '../../kit/list/page/list-table.tsx'
import { useStateColumns } from '../../kit/list/page/state-columns.tsx'
import { useList } from '../../kit/list/page/use-list.ts'
import {
  mayWrite,
  recordPath,
  titleOf,
  type RecordField,
  type RecordView,
  type SimpleRecord,
} from '../../kit/record/simple-record.ts'
import { useRecordTexts } from './record-texts.ts'

/** The list of a simple record, as a page. */
export const recordListPage = (record: SimpleRecord) =>
  function RecordListPage() {
    const texts = useRecordTexts(record)
    const list = useList(record.api, { filters: useFilters(record) })
    const { ask, dialog } = useStateOfRows(record.api, texts.question)
    return (
      <ListPage
        list={list}
        title={texts.title}
        create={mayWrite(record) ? { to: `/${record.api.path}/create`, label: texts.create } : null}
        columns={useColumns(record, ask)}
        rowName={titleOf}
        pathOf={(id) => recordPath(record, id)}
        emptyText={texts.empty}
        phoneGrid={record.phoneGrid}
      >
        {dialog}
      </ListPage>
    )
  }

const fieldOf = ({ fields }: SimpleRecord, name: string): RecordField => fields.find((field) => field.name === name)!

function useFilters(record: SimpleRecord): readonly ListFilter[] {
  const { t } = useTranslation(record.texts, { nsMode: 'fallback' })
  return useMemo(
    () =>
      record.filters.flatMap(({ field: name, label: key }): ListFilter[] => {
        const field = fieldOf(record, name)
        const label = key === undefined ? t(`fields.${name}`) : t(key)
        if (field.kind === 'flag') return [{ kind: 'flag', name, label }]
        if (field.kind === 'reference') return [{ kind: 'records', name, label, api: field.api }]
        if (field.kind !== 'choice') return []
        const choices = Object.entries(field.choices).map(([value, word]) => ({ value, label: t(word) }))
        return [{ kind: 'choices', name, label, choices }]
      }),
    [record, t],
  )
}

/** The columns of the list; `onState` asks before one is deactivated or activated. */
function useColumns(record: SimpleRecord, onState: (row: RecordView) => void): readonly ListColumn<RecordView>[] {
  const { t } = useTranslation(record.texts, { nsMode: 'fallback' })
  const { t: tForm } = useTranslation('form')
  const format = useFormat()
  const stateColumns = useStateColumns('title', onState)
  return useMemo(() => {
    const textOf = (field: RecordField, row: RecordView): string => {
      const value = row[field.name]
      if (field.kind === 'reference') return (row[field.shown] as { title: string } | null)?.title ?? ''
      if (field.kind === 'flag') return tForm(value === true ? 'yes' : 'no')
      if (field.kind === 'number')
        return value === null ? '' : `${format.number(value as number, 0, field.places)} ${field.unit}`
      if (field.kind === 'percent') return value === null ? '' : format.percent(value as number)
      if (field.kind === 'money') return value === null ? '' : format.euro(value as number)
      if (field.kind === 'choice') return t(field.choices[value as string] ?? '')
      return (value as string | null) ?? ''
    }
    return [
      {
        id: 'title',
        header: t('fields.title'),
        cell: (row) => <Link to={recordPath(record, row.id)}>{titleOf(row)}</Link>,
      },
      ...record.columns.map(
        ({
          field: name,
          width,
          isSorted = false,
          header,
          textOf: said,
          isNumber = false,
          ...look
        }): ListColumn<RecordView> => {
          const field = fieldOf(record, name)
          return {
            id: field.kind === 'reference' ? field.shown : name,
            header: t(header ?? `fields.${name}`),
            isSortable: isSorted,
            meta: {
              width,
              ...look,
              ...(isNumber || ['percent', 'number', 'money'].includes(field.kind) ? { align: 'end' } : {}),
            },
            cell: (row) => said?.(row, format) ?? textOf(field, row),
          }
        },
      ),
      ...(mayWrite(record) ? stateColumns : stateColumns.slice(0, 1)),
    ]
  }, [record, t, tForm, format, stateColumns])
}
