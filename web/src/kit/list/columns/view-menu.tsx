import { Menu } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { listViews, type View } from '@waybill/contract/preferences'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi } from '../../api/call-api.ts'
import { useErrorText } from '../../i18n/error-text.ts'
import { Icon } from '../../../ui/marks/icon.tsx'
import { lateWindow } from '../../../ui/windows/late-window.tsx'
import { useColumnChoice } from './chosen-columns.ts'
import type { List } from '../page/use-list.ts'
import classes from './view-menu.module.css'

const ViewModal = lateWindow(() => import('./view-modal.tsx').then((file) => file.ViewModal))

/**
 * The list as somebody saved it: search, filters, sort and columns under a name, one's
 * own and those that others share.
 */
export function ViewMenu({ list }: { list: List<unknown> }) {
  const { t } = useTranslation('list')
  const errorText = useErrorText()
  const [isOpen, setOpen] = useState(false)
  const [edited, setEdited] = useState<View | 'new' | null>(null)
  const answer = useQuery({
    queryKey: [listViews.path, list.path],
    queryFn: ({ signal }) => callApi(listViews, { query: { list: list.path }, signal }),
    enabled: isOpen,
    meta: { showsRefusals: true },
  })
  const views = answer.data?.items ?? []
  const { chosen, choose } = useColumnChoice(list.path)
  const columns = chosen === undefined ? null : { shown: [...chosen.shown], pinned: [...chosen.pinned] }
  const current = views.find(
    (view) =>
      view.query === list.query && (view.columns === null || JSON.stringify(view.columns) === JSON.stringify(columns)),
  )
  const show = (view: View) => {
    list.show(view.query)
    // From now on they are this person's own.
    if (view.columns !== null) choose(view.columns)
  }
  return (
    <>
      <Menu position="bottom-end" width={280} opened={isOpen} onChange={setOpen}>
        <Menu.Target>
          <button type="button" className={classes.target}>
            <Icon name="eye" />
            {t('views.label')}
            <Icon name="chevronDown" size={13} />
          </button>
        </Menu.Target>
        <Menu.Dropdown>
          {answer.error === null ? null : (
            <Menu.Item
              leftSection={<Icon name="refresh" />}
              closeMenuOnClick={false}
              onClick={() => void answer.refetch()}
            >
              {errorText(answer.error)}
            </Menu.Item>
          )}
          {answer.data !== undefined && views.length === 0 ? <Menu.Label>{t('views.none')}</Menu.Label> : null}
          {views.map((view) => (
            <Menu.Item
              key={view.id}
              aria-current={view === current || undefined}
              leftSection={<Icon name={view === current ? 'check' : view.isOwn ? 'user' : 'users'} />}
              onClick={() => show(view)}
            >
              <span className={classes.view}>
                {view.name}
                {view.isOwn ? null : <span className={classes.owner}>{view.owner.title}</span>}
              </span>
            </Menu.Item>
          ))}
          <Menu.Divider />
          {current?.isOwn ? (
            <Menu.Item leftSection={<Icon name="edit" />} onClick={() => setEdited(current)}>
              {t('views.edit', { name: current.name })}
            </Menu.Item>
          ) : (
            <Menu.Item leftSection={<Icon name="plus" />} onClick={() => setEdited('new')}>
              {t('views.save')}
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
