import { LOCATION_KINDS } from '@waybill/contract/order/order'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { StopColumn } from '../grid/paste.ts'

/** What the cells of every stop are called. */
export function useStopTexts() {
  const { t } = useTranslation('order')
  return useMemo(
    () => ({
      column: (field: StopColumn) => t(`stopFields.${field}`),
      field: (field: StopColumn, stop: number) => `${t(`stopFields.${field}`)}, ${t('stopNumber', { stop })}`,
      places: t('knownPlaces'),
      kinds: LOCATION_KINDS.map((kind) => [kind, t(`kinds.${kind}`)] as const),
      up: (stop: number) => t('stopUp', { stop }),
      down: (stop: number) => t('stopDown', { stop }),
      more: (stop: number) => t('moreOfStop', { stop }),
      remove: (stop: number) => t('removeStop', { stop }),
      before: t('termin.before'),
      fix: t('termin.fix'),
      kindOfTermin: { before: t('termin.kinds.before'), fix: t('termin.kinds.fix'), period: t('termin.kinds.period') },
      notUnderstood: t('termin.notUnderstood'),
      examples: [
        ['3.12 -16', t('termin.examples.before')],
        ['+2 7', t('termin.examples.fix')],
        [t('termin.examples.mondayTyped'), t('termin.examples.monday')],
      ] as const,
      also: t('termin.also'),
    }),
    [t],
  )
}

export type StopTexts = ReturnType<typeof useStopTexts>
