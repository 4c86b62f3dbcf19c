import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useKeyHints } from '../../../kit/shortcuts/shortcuts.ts'

/** The keys that both grids hear in their cells, for the overview. */
export function useGridKeyHints(): void {
  const { t } = useTranslation('order')
  const hints = useMemo(
    () => [
      { key: 'Enter', label: t('keys.inGrid', { what: t('keys.nextOpen') }) },
      { key: 'Enter', mod: true, label: t('keys.inGrid', { what: t('keys.line') }) },
      { key: 'Enter', alt: true, label: t('keys.inGrid', { what: t('keys.more') }) },
      { key: 'd', mod: true, label: t('keys.inGrid', { what: t('keys.copyAbove') }) },
    ],
    [t],
  )
  useKeyHints(hints)
}

/** The keys of the stops' grid beside those. */
export function useStopKeyHints(): void {
  const { t } = useTranslation('order')
  const hints = useMemo(
    () => [
      { key: 'ArrowUp', alt: true, label: t('keys.stopUp') },
      { key: 'ArrowDown', alt: true, label: t('keys.stopDown') },
    ],
    [t],
  )
  useKeyHints(hints)
}

/** The key of the cargo's grid beside those. */
export function useCargoKeyHints(): void {
  const { t } = useTranslation('order')
  const hints = useMemo(() => [{ key: 't', alt: true, label: t('keys.split') }], [t])
  useKeyHints(hints)
}
