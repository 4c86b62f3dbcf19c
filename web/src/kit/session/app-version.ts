import { LAST_TYPED } from '../form/state/last-typed.ts'
import { STORED } from './token-store.ts'

// What was typed when the page was loaded anew, perhaps because of the new version.
const leftByForms = () => Object.keys(localStorage).filter((name) => name.startsWith(LAST_TYPED))

/**
 * Notices the first start of a new version on this device (spec §4, Session): the storage is cleared except the
 * tokens, the language and unsaved typing, and the version is stored. Answers true where the system-update dialog is
 * due.
 */
export function noteAppVersion(version: string): boolean {
  const before = localStorage.getItem(STORED.appVersion)
  if (before === version) {
    // The dialog was shown and the page loaded anew: the next version speaks again.
    localStorage.removeItem(STORED.reloadModalShown)
    return false
  }
  const wasShown = localStorage.getItem(STORED.reloadModalShown) !== null
  const names = [STORED.authData, STORED.token, STORED.renewalKey, STORED.language, ...leftByForms()]
  const kept = names.map((name) => [name, localStorage.getItem(name)] as const)
  if (before !== null) localStorage.clear()
  for (const [name, value] of kept) if (value !== null) localStorage.setItem(name, value)
  localStorage.setItem(STORED.appVersion, version)
  return before !== null && !wasShown
}
