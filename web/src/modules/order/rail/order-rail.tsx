import { Button } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import { Icon } from '../../../ui/marks/icon.tsx'
import { IconButton } from '../../../ui/marks/icon-button.tsx'
import { SkeletonLines } from '../../../ui/marks/skeleton.tsx'
import { TabBar } from '../../../ui/page/tab-bar.tsx'
import type { HistoryWords } from '../../audit-entry/history-list-section.ts'
import { HistoryEntries } from '../../audit-entry/history-section.tsx'
import { useEmails } from '../../email/email-list-section.ts'
import { NewNote } from './note-composer.tsx'
import { Notes } from './notes.tsx'
import { RAIL_TABS, type RailTab } from './rail-tabs.ts'
import classes from './rail.module.css'
import { useNotes } from './use-notes.ts'

const EmailsSection = lazy(() =>
  import('../../email/email-section.tsx').then((file) => ({ default: file.EmailsSection })),
)

const EmissionSection = lazy(() =>
  import('../../emission/emission-section.tsx').then((file) => ({ default: file.EmissionSection })),
)

interface OrderRailProps extends HistoryWords {
  orderId: number
  /** The part that is open at first */
  first: RailTab
  /** An order that was merged takes no notes */
  isReadOnly: boolean
  onHide: () => void
  onMessage: () => void
}

/** Beside an order: what happened to it, the mails about it, and what people say of it. */
export function OrderRail({ orderId, first, isReadOnly, onHide, onMessage, ...words }: OrderRailProps) {
  const { t } = useTranslation('order-rail')
  const { number } = useFormat()
  const [tab, setTab] = useState<RailTab>(first)
  const owner = { orderId }
  const counts: Readonly<Record<RailTab, number | undefined>> = {
    history: undefined,
    mails: useEmails(owner).data?.total,
    notes: useNotes(orderId).data?.pages[0]?.total,
    emission: undefined,
  }
  return (
    <>
      <div className={classes.tabs}>
        <TabBar
          label={t('title')}
          current={tab}
          onSelect={setTab}
          tabs={RAIL_TABS.map((key) => {
            const count = counts[key]
            return { key, label: t(`tab.${key}`), ...(count ? { count: number(count) } : {}) }
          })}
        />
        <IconButton icon="panelRight" isSmall label={t('hide')} onClick={onHide} />
      </div>
      {tab === 'mails' ? (
        <div className={classes.message}>
          <Button size="compact-sm" leftSection={<Icon name="mail" size={13} />} onClick={onMessage}>
            {t('originalMessage')}
          </Button>
        </div>
      ) : isReadOnly || tab === 'emission' ? null : (
        <NewNote orderId={orderId} />
      )}
      <div className={classes.scroll} tabIndex={0} role="group" aria-label={t(`tab.${tab}`)}>
        {tab === 'history' ? (
          <HistoryEntries owner={owner} {...words} />
        ) : tab === 'mails' ? (
          <Suspense fallback={<SkeletonLines lines={2} label={t('tab.mails')} />}>
            <EmailsSection owner={owner} isNarrow />
          </Suspense>
        ) : tab === 'emission' ? (
          <Suspense fallback={<SkeletonLines lines={4} label={t('tab.emission')} />}>
            <EmissionSection orderId={orderId} />
          </Suspense>
        ) : (
          <Notes orderId={orderId} />
        )}
      </div>
    </>
  )
}
