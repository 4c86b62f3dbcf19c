import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import type { listPaperOrders } from '@waybill/contract/email/paper-template'
import { listSampleOrders } from '@waybill/contract/email/template'
import type { Reference } from '@waybill/contract/kit/fields'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi } from '../../../kit/api/call-api.ts'
import { Icon } from '../../../ui/marks/icon.tsx'
import classes from './preview.module.css'

interface OrderPickerProps {
  departmentId: number
  templateKey: string
  /** What offers the orders */
  endpoint?: typeof listSampleOrders | typeof listPaperOrders
  /** The order that is shown now; null: the built-in example */
  order: Reference | null
  isLoading: boolean
  onChange: (orderId: number) => void
}

const TYPING_MS = 200

/** With which order the mail is shown: the last ones that fit it, or any by its number. */
export function OrderPicker({
  departmentId,
  templateKey,
  endpoint = listSampleOrders,
  order,
  isLoading,
  onChange,
}: OrderPickerProps) {
  const { t } = useTranslation('mail-template')
  const [typed, setTyped] = useState('')
  const [asked] = useDebouncedValue(typed, TYPING_MS)
  // The number of the order in hand is no search.
  const q = order !== null && asked === order.title ? '' : asked.trim()
  const { data } = useQuery({
    queryKey: ['mail-preview-orders', departmentId, templateKey, q],
    queryFn: ({ signal }) =>
      callApi(endpoint, {
        params: { id: departmentId, key: templateKey },
        query: q === '' ? {} : { q },
        signal,
      }),
    placeholderData: (before) => before,
  })
  const found = data?.items ?? []
  const offered = order === null || found.some(({ id }) => id === order.id) ? found : [order, ...found]
  return (
    <Select
      className={classes.order}
      aria-label={t('preview.order')}
      placeholder={isLoading ? t('preview.loading') : t('preview.exampleShort')}
      data={offered.map(({ id, title }) => ({ value: String(id), label: title }))}
      value={order === null ? null : String(order.id)}
      searchable
      allowDeselect={false}
      searchValue={typed}
      onSearchChange={setTyped}
      filter={({ options }) => options}
      nothingFoundMessage={q === '' ? t('preview.noOrders') : t('preview.noOrder', { number: q })}
      rightSection={<Icon name="chevronDown" size={13} />}
      rightSectionPointerEvents="none"
      onChange={(id) => {
        if (id !== null) onChange(Number(id))
      }}
    />
  )
}
