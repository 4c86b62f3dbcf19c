import type { State } from '@waybill/contract/kit/fields'
import { useTranslation } from 'react-i18next'
import type { StateQuestion } from '../../kit/form/page/state-change.tsx'
import type { RecordView, SimpleRecord } from '../../kit/record/simple-record.ts'

/** The sentences of a record: what it is called, its fields, and what is asked before one is deactivated or activated. */
export function useRecordTexts(record: SimpleRecord) {
  const { t } = useTranslation(record.texts)
  const { part } = record
  const names = [...record.fields.map(({ name }) => name), 'state']
  const one = t(part === null ? 'one' : `${part}.one`)
  return {
    t,
    one,
    title: t(part === null ? 'title' : `${part}.title`),
    create: t(part === null ? 'create' : `${part}.create`),
    saved: t(part === null ? 'saved' : `${part}.saved`),
    back: t('back'),
    empty: t('empty'),
    labelOf: (path: string): string => {
      const name = names.find((candidate) => candidate === path)
      return name === undefined ? one : t(`fields.${name}`)
    },
    question: ({ title }: RecordView, next: State): StateQuestion => ({
      title: t(`change.${next}.title`),
      text: t(`change.${next}.text`, { title }),
      confirm: t(`change.${next}.confirm`),
      refused: t('notChanged'),
    }),
  }
}
