import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getStopLoadCarriers, saveStopLoadCarriers, type StopLoadCarriers } from '@waybill/contract/load-carrier/stop'
import { isDamagedAmong, isMoved } from '@waybill/contract/pieces/pieces'
import { useTranslation } from 'react-i18next'
import { hasCode } from '../../kit/api/api-error.ts'
import { callApi } from '../../kit/api/call-api.ts'
import { LoadError } from '../../kit/api/load-error.tsx'
import { useKept } from '../../kit/form/state/use-kept-typing.ts'
import { useRefusalWords } from '../../kit/i18n/error-text.ts'
import { loadTexts } from '../../kit/i18n/i18n.ts'
import { TextField } from '../../ui/fields/field.tsx'
import { SelectField } from '../../ui/fields/select-field.tsx'
import { SkeletonLines } from '../../ui/marks/skeleton.tsx'
import { Notice } from '../../ui/notices/notice.tsx'
import { notify } from '../../ui/notices/notify.tsx'
import { ModalFrame } from '../../ui/windows/confirm-modal.tsx'
import { DayField } from '../typed-day/day-select.tsx'
import classes from './load-carrier.module.css'
import { Pieces } from './pieces.tsx'
import { PiecesField } from './pieces-field.tsx'
import { ToldNotice } from './told-notice.tsx'

interface StopWindowProps {
  orderId: number
  stopId: number
  /** from 1 */
  number: number
  isReadOnly: boolean
  onClose: () => void
}

type Line = StopLoadCarriers['lines'][number]

const PLACE = 'place'

/** The window with its words, which the order form does without until then. */
export async function stopLoadCarriersWindow() {
  await loadTexts('load-carrier')
  return StopLoadCarriersWindow
}

/** The load carriers that were exchanged at a stop: what was left there, what was taken along, by type. */
function StopLoadCarriersWindow({ orderId, stopId, number, isReadOnly, onClose }: StopWindowProps) {
  const { t } = useTranslation('load-carrier')
  const { data, error, refetch } = useQuery({
    queryKey: ['load-carriers', 'stop', stopId],
    queryFn: ({ signal }) => callApi(getStopLoadCarriers, { params: { id: orderId, stopId }, signal }),
    meta: { showsRefusals: true },
    // Opened again, it shows what is there now.
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
  if (data !== undefined)
    return <StopForm key={data.version} of={{ orderId, stopId, number, isReadOnly, onClose }} read={data} />
  return (
    <ModalFrame
      isOpen
      onClose={onClose}
      title={t('stop.title', { number })}
      closeLabel={t('close')}
      footer={
        <Button variant="default" onClick={onClose}>
          {t('close')}
        </Button>
      }
    >
      {error ? (
        <LoadError error={error} onRetry={() => void refetch()} />
      ) : (
        <SkeletonLines lines={5} label={t('stop.title', { number })} />
      )}
    </ModalFrame>
  )
}

interface TypedStop {
  version: number
  partner: string
  movedOn: string
  noteNumber: string
  note: string
  lines: readonly Line[]
}

function StopForm({ of, read }: { of: StopWindowProps; read: StopLoadCarriers }) {
  const { t } = useTranslation('load-carrier')
  const refusalWords = useRefusalWords()
  const queries = useQueryClient()
  const { orderId, stopId, number, isReadOnly, onClose } = of
  const { types, customers, formerCustomer, place, carrier } = read
  const kept = useKept<TypedStop>('load-carriers/stop', stopId, {
    // Typed upon an older one it is refused before it writes over what others have saved.
    version: read.version,
    partner: read.partner === 'place' ? PLACE : formerCustomer !== null ? '' : String(read.customerId ?? ''),
    movedOn: read.movedOn,
    noteNumber: read.noteNumber ?? '',
    note: read.note ?? '',
    lines: read.lines,
  })
  const { version, partner, movedOn, noteNumber, note, lines } = kept.values
  const close = () => {
    void kept.forget()
    onClose()
  }
  const lineOf = (typeId: number): Line =>
    lines.find((line) => line.typeId === typeId) ?? { typeId, given: 0, received: 0, damaged: 0 }
  const set = (typeId: number, part: Partial<Line>) => {
    const changed = { ...lineOf(typeId), ...part }
    const isThere = lines.some((line) => line.typeId === typeId)
    kept.change({
      lines: isThere ? lines.map((line) => (line.typeId === typeId ? changed : line)) : [...lines, changed],
    })
  }
  const some = lines.filter((line) => isMoved(line) || line.damaged > 0)
  const save = useMutation({
    mutationFn: () =>
      callApi(saveStopLoadCarriers, {
        params: { id: orderId, stopId },
        version,
        body: {
          partner: partner === PLACE ? 'place' : 'customer',
          customerId: partner === PLACE ? null : Number(partner),
          movedOn,
          noteNumber: noteNumber.trim() || null,
          note: note.trim() || null,
          lines: some,
        },
      }),
    onSuccess: () => {
      notify({ tone: 'ok', title: t('stop.saved', { number }), closeLabel: t('close') })
      void queries.invalidateQueries({ queryKey: ['load-carriers'] })
      void queries.invalidateQueries({ queryKey: ['audit-entries', { orderId }] })
      close()
    },
  })
  const isStale = hasCode(save.error, 'stale_version')
  const wrong = some.find((line) => !isMoved(line) || !isDamagedAmong(line))
  const why = wrong === undefined ? (partner === '' ? t('need.holder') : null) : t('need.damaged')
  return (
    <ModalFrame
      isOpen
      onClose={close}
      title={t('stop.title', { number })}
      closeLabel={t('close')}
      onSubmit={() => {
        if (why === null && !isReadOnly && !save.isPending) save.mutate()
      }}
      footer={
        <>
          <Button variant="default" onClick={close}>
            {t(isReadOnly ? 'close' : 'cancel')}
          </Button>
          {isReadOnly ? null : (
            <Button
              type="submit"
              variant="filled"
              loading={save.isPending}
              disabled={why !== null}
              title={why ?? undefined}
            >
              {t('movement.save')}
            </Button>
          )}
        </>
      }
    >
      {save.error === null ? null : isStale ? (
        <Notice tone="warn" isUrgent>
          {t('stop.stale')}{' '}
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => {
              void kept.forget()
              void queries.invalidateQueries({ queryKey: ['load-carriers', 'stop', stopId] })
            }}
          >
            {t('takeOver')}
          </Button>
        </Notice>
      ) : (
        <Notice tone="danger" isUrgent>
          {[...new Set(refusalWords(save.error))].join('. ')}
        </Notice>
      )}
      {formerCustomer === null ? null : (
        <Notice tone="warn">{t('stop.former', { customer: formerCustomer.title })}</Notice>
      )}
      <ToldNotice
        read={read}
        typed={{ lines: some, noteNumber }}
        isReadOnly={isReadOnly}
        onTake={(told) => kept.change({ lines: told.lines, noteNumber: told.noteNumber ?? '' })}
      />
      <div className={classes.fields}>
        <SelectField
          label={t('stop.partner')}
          allowDeselect={false}
          readOnly={isReadOnly}
          data={[
            ...(place === null ? [] : [{ value: PLACE, label: place }]),
            ...customers.map(({ id, title }) => ({ value: String(id), label: title })),
          ]}
          value={partner === '' ? null : partner}
          onChange={(value) => kept.change({ partner: value ?? '' })}
        />
        <DayField label={t('columns.date')} value={movedOn} onChange={(day) => kept.change({ movedOn: day })} isKept />
      </div>
      <table className={classes.grid} aria-label={t('stop.title', { number })}>
        <thead>
          <tr>
            <th scope="col">{t('columns.type')}</th>
            <th scope="col" data-number>
              {t('stop.given')}
            </th>
            <th scope="col" data-number>
              {t('stop.received')}
            </th>
            <th scope="col" data-number>
              {t('columns.damaged')}
            </th>
            <th scope="col" data-number>
              {t('balance')}
            </th>
          </tr>
        </thead>
        <tbody>
          {types.map(({ id, title }, index) => {
            const line = lineOf(id)
            const cell = (field: 'given' | 'received' | 'damaged', label: string) => (
              <td>
                <PiecesField
                  {...(index === 0 && field === 'given' ? { 'data-autofocus': true } : {})}
                  label={<span className={classes.hidden}>{label}</span>}
                  aria-label={`${title}: ${label}`}
                  readOnly={isReadOnly}
                  value={line[field]}
                  onChange={(value) => set(id, { [field]: value })}
                  // As it was drawn up everywhere: as many taken along as were left.
                  onKeyDown={(event) => {
                    if (event.key !== '=' || field !== 'received') return
                    event.preventDefault()
                    set(id, { received: line.given })
                  }}
                />
              </td>
            )
            return (
              <tr key={id}>
                <th scope="row">{title}</th>
                {cell('given', t('stop.given'))}
                {cell('received', t('stop.received'))}
                {cell('damaged', t('columns.damaged'))}
                <td data-number>
                  <Pieces value={line.given - line.received} />
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
      <div className={classes.fields}>
        <TextField
          label={t('columns.noteNumber')}
          maxLength={50}
          autoComplete="off"
          readOnly={isReadOnly}
          value={noteNumber}
          onChange={(event) => kept.change({ noteNumber: event.currentTarget.value })}
        />
        <TextField
          label={t('columns.note')}
          maxLength={500}
          autoComplete="off"
          readOnly={isReadOnly}
          value={note}
          onChange={(event) => kept.change({ note: event.currentTarget.value })}
        />
      </div>
      <p className={classes.said}>
        {carrier === null ? t('stop.noCarrier') : t('stop.carrier', { carrier: carrier.title })}{' '}
        {isReadOnly ? null : t('stop.sameKey')}
      </p>
    </ModalFrame>
  )
}
