import { useTranslation } from 'react-i18next'
import type saved from '../../../locales/en/saved.json'
import { notify } from '../../../ui/notices/notify.tsx'
import { loadTexts } from '../../i18n/i18n.ts'

/**
 * What can be saved: each has its sentence in each language, because article, verb and ending follow the word (spec
 * §8, Success).
 */
export type SavedName = keyof typeof saved

/** Says that something was saved; `title` is what the record is called. */
export function useSavedNotice(): (name: SavedName, title?: string) => void {
  const { i18n } = useTranslation()
  // In the language of that moment: what was saved may have been the language.
  return (name, title) =>
    void loadTexts('saved').then(() =>
      notify({
        tone: 'ok',
        title: i18n.t(`saved:${name}`),
        ...(title === undefined ? {} : { detail: title }),
        closeLabel: i18n.t('close'),
      }),
    )
}
