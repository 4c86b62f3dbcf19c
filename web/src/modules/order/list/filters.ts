import { pickable } from '@waybill/contract/kit/resource'
import { MONEY_FAULTS } from '@waybill/contract/order/order'
import { POD_AGES } from '@waybill/contract/order/papers/pod'
import { DEVIATIONS, DISPOSITIONS, ORDER_STATUSES } from '@waybill/contract/order/status'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { countryChoices } from '../../../kit/i18n/country-choices.ts'
import type { ListFilter } from '../../../kit/list/filter/filters.ts'

/** What the orders list can be narrowed by, in the person's words. */
export function useOrderFilters(): readonly ListFilter[] {
  const { t, i18n } = useTranslation(['order-list', 'order-columns'])
  return useMemo(() => {
    const countries = countryChoices(i18n.language)
    const choices = (group: string, values: readonly string[]) =>
      values.map((value) => ({ value, label: t(`${group}.${value}`) }))
    return [
      {
        kind: 'choices',
        name: 'status',
        label: t('order-columns:filter.status'),
        choices: choices('status', ORDER_STATUSES),
      },
      { kind: 'flag', name: 'delayed', label: t('order-columns:filter.delayed') },
      {
        kind: 'records',
        name: 'departmentId',
        label: t('order-columns:filter.department'),
        api: pickable('departments'),
      },
      { kind: 'records', name: 'customerId', label: t('order-columns:filter.customer'), api: pickable('customers') },
      {
        kind: 'records',
        name: 'carrierCompanyId',
        label: t('order-columns:filter.carrier'),
        api: pickable('carrier-companies'),
      },
      { kind: 'records', name: 'caseWorkerId', label: t('order-columns:filter.caseWorker'), api: pickable('users') },
      { kind: 'records', name: 'managerId', label: t('order-columns:filter.manager'), api: pickable('users') },
      { kind: 'choices', name: 'fromCountry', label: t('order-columns:filter.fromCountry'), choices: countries },
      { kind: 'text', name: 'fromTown', label: t('order-columns:filter.fromTown') },
      { kind: 'choices', name: 'toCountry', label: t('order-columns:filter.toCountry'), choices: countries },
      { kind: 'text', name: 'toTown', label: t('order-columns:filter.toTown') },
      { kind: 'text', name: 'lane', label: t('order-columns:filter.lane') },
      {
        kind: 'choices',
        name: 'money',
        label: t('order-columns:filter.money'),
        choices: MONEY_FAULTS.map((value) => ({ value, label: t(`order-columns:money.${value}`) })),
      },
      {
        kind: 'choices',
        name: 'openPod',
        label: t('order-columns:filter.openPod'),
        choices: POD_AGES.map((value) => ({ value, label: t(`order-columns:openPod.${value}`) })),
      },
      { kind: 'days', name: 'firstLoading', label: t('order-columns:filter.firstLoading') },
      { kind: 'days', name: 'lastUnloading', label: t('order-columns:filter.lastUnloading') },
      { kind: 'days', name: 'createdAt', label: t('order-columns:filter.createdAt') },
      {
        kind: 'choices',
        name: 'disposition',
        label: t('order-columns:filter.disposition'),
        choices: choices('disposition', DISPOSITIONS),
      },
      {
        kind: 'choices',
        name: 'deviation',
        label: t('order-columns:filter.deviation'),
        choices: choices('deviation', DEVIATIONS),
      },
      ...ORDER_STATUSES.map(
        (status): ListFilter => ({
          kind: 'days',
          name: `statusDate.${status}`,
          label: t('order-columns:filter.statusDate', { status: t(`status.${status}`) }),
        }),
      ),
    ]
  }, [t, i18n.language])
}
