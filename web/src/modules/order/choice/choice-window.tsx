import { Button } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { listCarrierChoices, type CarrierChoice } from '@waybill/contract/order/choice/carrier-choice'
import type { Order } from '@waybill/contract/order/order'
import { needsAssignment } from '@waybill/contract/order/status'
import { useRef, useState, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi } from '../../../kit/api/call-api.ts'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import { LoadError } from '../../../kit/api/load-error.tsx'
import { TextField } from '../../../ui/fields/field.tsx'
import { Icon } from '../../../ui/marks/icon.tsx'
import { KeyHint } from '../../../ui/marks/marks.tsx'
import { SkeletonLines } from '../../../ui/marks/skeleton.tsx'
import { ModalFrame } from '../../../ui/windows/confirm-modal.tsx'
import { CarrierPanel } from './carrier-panel.tsx'
import classes from './choice.module.css'
import { RankedTable } from './ranked-table.tsx'

const TYPING_MS = 250

export interface ChosenCarrier {
  id: number
  title: string
  costCents: number | null
}

interface ChoiceWindowProps {
  order: Order
  routeId: number
  /** What is agreed already, as it stands in the form */
  costCents: number | null
  isReadOnly: boolean
  onAssign: (chosen: ChosenCarrier) => void
  onClose: () => void
}

/** Who could drive a route, in an order that can be read; one of them is put on the route of the form. */
export function ChoiceWindow({ order, routeId, costCents, isReadOnly, onAssign, onClose }: ChoiceWindowProps) {
  const { t } = useTranslation(['carrier-choice', 'clearance', 'form'])
  const format = useFormat()
  const [typed, setTyped] = useState('')
  const [q] = useDebouncedValue(typed.trim(), TYPING_MS)
  const [currentId, setCurrent] = useState<number | null>(null)
  const [cost, setCost] = useState<number | null>(costCents)
  const search = useRef<HTMLInputElement>(null)
  const { data, error, refetch } = useQuery({
    queryKey: ['orders', order.id, 'carrier-choice', routeId, order.version, q],
    queryFn: ({ signal }) =>
      callApi(listCarrierChoices, { params: { id: order.id, routeId }, query: q === '' ? {} : { q }, signal }),
    placeholderData: keepPreviousData,
    meta: { showsRefusals: true },
  })
  const items = data?.items ?? []
  const current = items.find(({ id }) => id === currentId) ?? items[0]
  const route = order.routes.find(({ id }) => id === routeId)!
  // Nobody could save it.
  const isRefused = current !== undefined && !current.isCleared && needsAssignment(route.status)
  const mayAssign = current !== undefined && !isRefused && !isReadOnly
  // A price that was agreed already stays until somebody writes another one.
  const proposed = (one: CarrierChoice) => cost ?? one.prices[0]?.priceCents ?? null
  const assign = () => {
    if (mayAssign) onAssign({ id: current.id, title: current.title, costCents: proposed(current) })
  }
  const press = (event: KeyboardEvent) => {
    const { target, key } = event
    if (event.ctrlKey || event.altKey || event.metaKey || !(target instanceof HTMLElement)) return
    const isRadio = target.matches('[type=radio]')
    const step = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0
    // Between radio buttons the browser goes by itself.
    if (step !== 0 && !isRadio && current !== undefined) {
      const next = items[items.indexOf(current) + step]
      if (next !== undefined) setCurrent(next.id)
    } else if (key === '/' && (isRadio || !(target instanceof HTMLInputElement) || target.value === ''))
      search.current?.focus()
    else return
    event.preventDefault()
  }
  return (
    <ModalFrame
      isOpen
      isWide
      onClose={onClose}
      onSubmit={assign}
      title={t('title', { route: route.number })}
      closeLabel={t('form:close')}
      footer={
        <>
          <Button onClick={onClose}>{t('form:cancel')}</Button>
          <Button type="submit" variant="filled" disabled={!mayAssign}>
            {current === undefined ? t('assign') : t('assignOne', { carrier: current.title })}
          </Button>
        </>
      }
    >
      <div className={classes.window} role="group" aria-label={t('carriers')} onKeyDown={press}>
        <div className={classes.head}>
          {data?.lane ? (
            <p>
              <b>{t('lane', { from: laneEnd(data.lane.from), to: laneEnd(data.lane.to) })}</b> {t('spread')}
            </p>
          ) : data ? (
            <p>{t('noLane')}</p>
          ) : null}
          {data?.revenueCents == null ? null : (
            <p>
              {t('price', { price: format.euro(data.revenueCents) })}
              {data.limitCents === null
                ? null
                : `, ${t('limit', {
                    margin: format.percent(data.marginWarningBp),
                    limit: format.euro(data.limitCents),
                  })}`}
            </p>
          )}
        </div>
        <div className={classes.tools}>
          <TextField
            label={t('find')}
            leftSection={<Icon name="search" size={13} />}
            rightSection={<KeyHint>/</KeyHint>}
            ref={search}
            autoComplete="off"
            maxLength={100}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          <p className={classes.sentence}>{t('sentence')}</p>
        </div>
        {error ? (
          <LoadError error={error} onRetry={() => void refetch()} />
        ) : data === undefined ? (
          <SkeletonLines lines={6} label={t('loading')} />
        ) : (
          <div className={classes.body}>
            {items.length === 0 ? (
              <p className={classes.none}>{t(q === '' ? 'none' : 'noneFound')}</p>
            ) : (
              <RankedTable choices={data} currentId={current?.id ?? null} onCurrent={setCurrent} />
            )}
            {current === undefined ? null : (
              <CarrierPanel
                choices={data}
                carrier={current}
                place={items.indexOf(current) + 1}
                costCents={proposed(current)}
                isRefused={isRefused}
                isReadOnly={isReadOnly}
                onCost={setCost}
              />
            )}
          </div>
        )}
      </div>
    </ModalFrame>
  )
}

const laneEnd = ({ countryCode, area }: { countryCode: string; area: string }) => `${countryCode} ${area}`
