import { useTranslation } from 'react-i18next'
import type saved from '../../../locales/en/saved.json'
import { notify } from '../../../ui/notices/notify.tsx'
import { loadTexts } from '../../i18n/i18n.ts'

/**
 * What can be saved: each has its sentence in each language, because article, verb and ending follow the word (spec
 * §8, Success).
 */
export type SavedName = keyof typeof saved

/** A name of `saved.json`, or the sentence itself where the texts of the record bring it along. */
export type Saved = SavedName | { sentence: string }

/** Says that something was saved; `title` is what the record is called. */
export function useSavedNotice(): (name: Saved, title?: string) => void {
  const { i18n } = useTranslation()
  // In the language of that moment: what was saved may have been the language.
  return (name, title) => {
    const say = (sentence: string) =>
      notify({
        tone: 'ok',
        title: sentence,
        ...(title === undefined ? {} : { detail: title }),
        closeLabel: i18n.t('close'),
      })
    if (typeof name === 'object') say(name.sentence)
    else void loadTexts('saved').then(() => say(i18n.t(`saved:${name}`)))
  }
}
