import type { State } from '@waybill/contract/kit/fields'
import { useTranslation } from 'react-i18next'
import type { StateQuestion } from '../../kit/form/page/state-change.tsx'
import { titleOf, type RecordView, type SimpleRecord } from '../../kit/record/simple-record.ts'

/** What a record and its fields are called, and what is asked before one is deactivated or activated. */
export function useRecordTexts(record: SimpleRecord) {
  const { t } = useTranslation(record.texts, { nsMode: 'fallback' })
  const { words } = record
  const word = (name: 'title' | 'one' | 'create' | 'saved') => t(`${words}${words.includes(':') ? '.' : ':'}${name}`)
  const names = [...record.fields.map(({ name }) => name), 'state']
  const one = word('one')
  return {
    one,
    title: word('title'),
    create: word('create'),
    saved: word('saved'),
    back: t('back'),
    empty: t('empty'),
    labelOf: (path: string): string => {
      const name = names.find((candidate) => candidate === path.split('.')[0])
      return name === undefined ? one : t(`fields.${name}`)
    },
    question: (view: RecordView, next: State): StateQuestion => ({
      title: t(`change.${next}.title`),
      text: t(`change.${next}.text`, { title: titleOf(view) }),
      confirm: t(`change.${next}.confirm`),
      refused: t('notChanged'),
    }),
  }
}
