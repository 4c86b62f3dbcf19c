import { VisuallyHidden } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Customer } from '@waybill/contract/customer'
import { deleteLearnedRule, listLearnedRules, type LearnedRuleRow } from '@waybill/contract/intake/learned-rule'
import type { LearnedField } from '@waybill/contract/intake/reading'
import { useCallback, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi } from '../../kit/api/call-api.ts'
import { LoadError } from '../../kit/api/load-error.tsx'
import { useErrorText } from '../../kit/i18n/error-text.ts'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { IconButton } from '../../ui/marks/icon-button.tsx'
import { EmptyState } from '../../ui/notices/notice.tsx'
import { notify } from '../../ui/notices/notify.tsx'
import { DataTable, type Column } from '../../ui/page/data-table.tsx'
import { Section } from '../../ui/page/section.tsx'
import { ConfirmModal } from '../../ui/windows/confirm-modal.tsx'
import classes from './customer-form.module.css'

const PHONE_GRID = '"field do" auto "where do" auto "learned used" auto / minmax(0, 1fr) auto'

/** What a field is called here: `Loading, reference`. */
function useFieldWords(): (field: LearnedField) => string {
  const { t } = useTranslation('learned-rule')
  return useCallback((field) => t(`fields.${field.replace('.', '_')}`), [t])
}

/** What corrections taught about this customer's mails, and the way to forget it. */
export function CustomerLearned({ customer }: { customer: Customer | null }) {
  const { t } = useTranslation('learned-rule')
  return (
    <Section title={t('title')} summary={t('means')} isFlush>
      {customer === null ? <p className={classes.empty}>{t('unsaved')}</p> : <Rules customerId={customer.id} />}
    </Section>
  )
}

function Rules({ customerId }: { customerId: number }) {
  const { t } = useTranslation('learned-rule')
  const client = useQueryClient()
  const errorText = useErrorText()
  const fieldWords = useFieldWords()
  const [asked, setAsked] = useState<LearnedRuleRow | null>(null)
  const columns = useColumns(setAsked)
  const queryKey = ['customers', customerId, 'learned-rules']
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => callApi(listLearnedRules, { params: { id: customerId }, signal }),
  })
  const remove = useMutation({
    mutationFn: (ruleId: number) => callApi(deleteLearnedRule, { params: { id: customerId, ruleId } }),
    onError: (refused) =>
      notify({ tone: 'danger', title: t('notRemoved'), detail: errorText(refused), closeLabel: t('close') }),
    onSettled: () => {
      setAsked(null)
      return client.invalidateQueries({ queryKey })
    },
  })
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />
  return (
    <>
      <DataTable<LearnedRuleRow>
        label={t('title')}
        columns={columns}
        rows={data?.items ?? null}
        rowKey={({ id }) => id}
        rowName={({ field }) => fieldWords(field)}
        skeletonRows={3}
        empty={
          <EmptyState icon="bulb" title={t('empty')}>
            {t('emptyMeans')}
          </EmptyState>
        }
        phoneGrid={PHONE_GRID}
        minWidth={720}
      />
      <ConfirmModal
        isOpen={asked !== null}
        withInfoIcon
        title={asked === null ? '' : t('removeTitle', { field: fieldWords(asked.field) })}
        confirmLabel={t('remove')}
        cancelLabel={t('cancel')}
        closeLabel={t('close')}
        isBusy={remove.isPending}
        onCancel={() => setAsked(null)}
        onConfirm={() => {
          if (asked !== null) remove.mutate(asked.id)
        }}
      >
        {t('removeText')}
      </ConfirmModal>
    </>
  )
}

function useColumns(onRemove: (rule: LearnedRuleRow) => void): readonly Column<LearnedRuleRow>[] {
  const { t } = useTranslation('learned-rule')
  const format = useFormat()
  const fieldWords = useFieldWords()
  return useMemo(
    (): readonly Column<LearnedRuleRow>[] => [
      { key: 'field', head: t('column.field'), cell: ({ field }) => <b>{fieldWords(field)}</b> },
      {
        key: 'where',
        head: t('column.where'),
        cell: ({ label, position }) =>
          label === null ? t(`where.${position ?? 'subject'}`) : t('where.label', { label }),
      },
      { key: 'learned', head: t('column.learned'), width: 140, cell: ({ learnedBy }) => learnedBy?.title ?? '' },
      {
        key: 'date',
        head: t('column.date'),
        width: 96,
        isHiddenOnPhone: true,
        cell: ({ learnedAt }) => <span title={format.dateTime(learnedAt)}>{format.day(learnedAt)}</span>,
      },
      {
        key: 'used',
        head: t('column.used'),
        width: 92,
        align: 'end',
        cell: ({ usedCount, lastUsedAt }) => (
          <span title={lastUsedAt === null ? undefined : t('last', { date: format.dateTime(lastUsedAt) })}>
            {usedCount === 0 ? t('unused') : t('times', { count: usedCount })}
          </span>
        ),
      },
      {
        key: 'do',
        head: <VisuallyHidden>{t('column.do')}</VisuallyHidden>,
        width: 44,
        align: 'end',
        cell: (rule) => (
          <IconButton
            icon="trash"
            isSmall
            label={t('removeOne', { field: fieldWords(rule.field) })}
            onClick={() => onRemove(rule)}
          />
        ),
      },
    ],
    [t, format, fieldWords, onRemove],
  )
}
