import { STORED } from './token-store.ts'

/**
 * Notices the first start of a new version on this device (spec §4, Session): the storage is cleared except the
 * tokens and the language, and the version is stored. Answers true where the system-update dialog is due.
 */
export function noteAppVersion(version: string): boolean {
  const before = localStorage.getItem(STORED.appVersion)
  if (before === version) {
    // The dialog was shown and the page loaded anew: the next version speaks again.
    localStorage.removeItem(STORED.reloadModalShown)
    return false
  }
  const wasShown = localStorage.getItem(STORED.reloadModalShown) !== null
  const kept = [STORED.authData, STORED.token, STORED.language].map(
    (name) => [name, localStorage.getItem(name)] as const,
  )
  if (before !== null) localStorage.clear()
  for (const [name, value] of kept) if (value !== null) localStorage.setItem(name, value)
  localStorage.setItem(STORED.appVersion, version)
  return before !== null && !wasShown
}
