import { Menu } from '@mantine/core'
import type { View } from '@waybill/contract/preferences'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useErrorText } from '../../i18n/error-text.ts'
import { Icon } from '../../../ui/marks/icon.tsx'
import { lateWindow } from '../../../ui/windows/late-window.tsx'
import { useSavedViews } from './saved-views.ts'
import type { List } from '../page/use-list.ts'
import classes from './view-menu.module.css'

const ViewModal = lateWindow(() => import('./view-modal.tsx').then((file) => file.ViewModal))

/**
 * The list as somebody saved it: search, filters, sort and columns under a name, one's
 * own and those that others share.
 */
export function ViewMenu({ list }: { list: List<unknown> }) {
  const { t } = useTranslation(['list', 'list-page'])
  const errorText = useErrorText()
  const [edited, setEdited] = useState<View | 'new' | null>(null)
  const { views, current, columns, error, isAnswered, retry, show, standard, setStandard } = useSavedViews(list)
  return (
    <>
      <Menu position="bottom-end" width={280}>
        <Menu.Target>
          <button
            type="button"
            className={classes.target}
            aria-label={current === undefined ? undefined : t('list-page:views.inUse', { name: current.name })}
          >
            <Icon name="eye" />
            <span className={classes.inUse}>{current?.name ?? t('list-page:views.label')}</span>
            <Icon name="chevronDown" size={13} />
          </button>
        </Menu.Target>
        <Menu.Dropdown>
          {error === null ? null : (
            <Menu.Item leftSection={<Icon name="refresh" />} closeMenuOnClick={false} onClick={retry}>
              {errorText(error)}
            </Menu.Item>
          )}
          {isAnswered && views.length === 0 ? <Menu.Label>{t('list-page:views.none')}</Menu.Label> : null}
          {views.map((view) => (
            <Menu.Item
              key={view.id}
              aria-current={view === current || undefined}
              leftSection={<Icon name={view === current ? 'check' : view.isOwn ? 'user' : 'users'} />}
              onClick={() => show(view)}
            >
              <span className={classes.view}>
                {view.name}
                {view === standard ? <span className={classes.owner}>{t('list-page:views.isStandard')}</span> : null}
                {view.isOwn ? null : <span className={classes.owner}>{view.owner.title}</span>}
              </span>
            </Menu.Item>
          ))}
          <Menu.Divider />
          {current === undefined ? null : (
            <Menu.Item
              leftSection={<Icon name={current === standard ? 'close' : 'check'} />}
              onClick={() => setStandard(current === standard ? null : current)}
            >
              {t(current === standard ? 'list-page:views.noStandard' : 'list-page:views.standard')}
            </Menu.Item>
          )}
          {current?.isOwn ? (
            <Menu.Item leftSection={<Icon name="edit" />} onClick={() => setEdited(current)}>
              {t('list-page:views.edit', { name: current.name })}
            </Menu.Item>
          ) : (
            <Menu.Item leftSection={<Icon name="plus" />} onClick={() => setEdited('new')}>
              {t('list-page:views.save')}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {edited === null ? null : (
        <Suspense>
          <ViewModal
            view={edited === 'new' ? null : edited}
            list={list.path}
            query={list.query}
            columns={columns}
            onClose={() => setEdited(null)}
          />
        </Suspense>
      )}
    </>
  )
}
