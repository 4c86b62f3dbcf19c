import { Menu, VisuallyHidden } from '@mantine/core'
import { WEBHOOK_EVENTS, type Webhook } from '@waybill/contract/webhook/webhook'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { Icon } from '../../ui/marks/icon.tsx'
import { IconButton } from '../../ui/marks/icon-button.tsx'
import { Mark } from '../../ui/marks/marks.tsx'
import type { Column } from '../../ui/page/data-table.tsx'
import classes from './webhook.module.css'

export type WebhookAct = 'test' | 'edit' | 'rotate' | 'pause' | 'resume' | 'delete'

const LEVELS = { active: 1, paused: 2, failing: 3 } as const

export function useWebhookColumns(onAct: (act: WebhookAct, webhook: Webhook) => void): readonly Column<Webhook>[] {
  const { t } = useTranslation('webhook')
  const format = useFormat()
  return useMemo(
    (): readonly Column<Webhook>[] => [
      {
        key: 'title',
        head: t('column.title'),
        cell: ({ title, url, hint, formerUntil }) => (
          <span className={classes.title}>
            <b title={title}>{title}</b>
            <span className={classes.url} title={url}>
              {url}
            </span>
            {formerUntil === null ? null : (
              <Mark level={2} title={t('formerUntil', { hint, time: format.dateTime(formerUntil) })}>
                {t('twoSecrets')}
              </Mark>
            )}
          </span>
        ),
      },
      {
        key: 'events',
        head: t('column.events'),
        width: 260,
        cell: ({ events }) => {
          const words =
            events.length === WEBHOOK_EVENTS.length
              ? t('allEvents')
              : events.map((event) => t(`events.${event}`)).join(', ')
          return (
            <span className={classes.words} title={words}>
              {words}
            </span>
          )
        },
      },
      {
        key: 'state',
        head: t('column.state'),
        width: 130,
        cell: ({ state, stateSince }) => (
          <Mark level={LEVELS[state]} title={t('since', { time: format.dateTime(stateSince) })}>
            {t(`state.${state}`)}
          </Mark>
        ),
      },
      {
        key: 'arrived',
        head: t('column.arrived'),
        width: 190,
        cell: ({ lastDeliveredAt, failingSince, waiting }) => (
          <span className={classes.words}>
            {failingSince !== null ? (
              <Mark level={2} title={t('nothingSince', { time: format.dateTime(failingSince) })}>
                {t('notArriving')}
              </Mark>
            ) : lastDeliveredAt === null ? (
              <span className={classes.dim}>{t('nothingYet')}</span>
            ) : (
              <span title={format.dateTime(lastDeliveredAt)}>{format.ago(lastDeliveredAt)}</span>
            )}
            {waiting === 0 ? null : <span className={classes.dim}> {t('waiting', { count: waiting })}</span>}
          </span>
        ),
      },
      {
        key: 'do',
        head: <VisuallyHidden>{t('column.do')}</VisuallyHidden>,
        width: 56,
        align: 'end',
        cell: (webhook) => <Acts webhook={webhook} onAct={onAct} />,
      },
    ],
    [t, format, onAct],
  )
}

/** What can be done with a webhook; first what always can. */
function Acts({ webhook, onAct }: { webhook: Webhook; onAct: (act: WebhookAct, webhook: Webhook) => void }) {
  const { t } = useTranslation('webhook')
  const isActive = webhook.state === 'active'
  const item = (act: WebhookAct, icon: 'edit' | 'key' | 'send' | 'clock' | 'refresh' | 'trash') => (
    <Menu.Item leftSection={<Icon name={icon} />} onClick={() => onAct(act, webhook)}>
      {t(act)}
    </Menu.Item>
  )
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <IconButton icon="more" isSmall label={t('actsOf', { title: webhook.title })} />
      </Menu.Target>
      <Menu.Dropdown>
        {isActive ? item('test', 'send') : item('resume', 'refresh')}
        {item('edit', 'edit')}
        {item('rotate', 'key')}
        {isActive ? item('pause', 'clock') : null}
        {item('delete', 'trash')}
      </Menu.Dropdown>
    </Menu>
  )
}
