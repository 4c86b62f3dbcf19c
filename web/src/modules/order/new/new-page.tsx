import { orderApi } from '@waybill/contract/order/order'
import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { LoadError } from '../../../kit/api/load-error.tsx'
import { BackLink } from '../../../kit/form/page/back-link.tsx'
import type { Draft } from '../../../kit/form/state/draft-store.ts'
import { FormProvider } from '../../../kit/form/state/form-context.ts'
import { FormMessages } from '../../../kit/form/page/form-messages.tsx'
import { LeaveGuard } from '../../../kit/form/page/leave-guard.tsx'
import { useSavedNotice } from '../../../kit/form/page/saved-notice.ts'
import type { EntityForm } from '../../../kit/form/state/entity-form.ts'
import { useKeptAt, type KeptStore } from '../../../kit/form/state/kept-store.ts'
import { useEntityForm } from '../../../kit/form/state/use-entity-form.ts'
import { useNewRecordDraft } from '../../../kit/form/state/use-form-record.ts'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import { currentSession } from '../../../kit/session/session.ts'
import { useShortcut } from '../../../kit/shortcuts/shortcuts.ts'
import { KeyHint } from '../../../ui/marks/marks.tsx'
import { StickyBar } from '../../../ui/page/page-head.tsx'
import { SkeletonLines } from '../../../ui/marks/skeleton.tsx'
import { lineBehind, stopBehind } from '../grid/dialog-fields.ts'
import {
  checkOrder,
  emptyOrder,
  ORDER_ATOMS,
  orderBodyOf,
  orderValuesOf,
  tidyOrder,
  type OrderValues,
} from '../values/draft.ts'
import { OrderMailDock } from '../form/mail-dock.tsx'
import { useOrderLabels } from '../values/labels.ts'
import { useOrderHome } from '../values/paths.ts'
import classes from './new-page.module.css'
import { useOrderWords } from '../values/value-words.ts'
import { SameLane } from '../routes/same-lane.tsx'

import { CargoBlock, CustomerBlock, PriceBlock, StopsBlock } from '../blocks/new-blocks.tsx'
import { FilledFromCustomer, ReadyList } from './new-aside.tsx'

/** Takes an order on one screen, in the order in which a customer's mail reads: customer, stops, cargo, price. */
export function OrderNewPage() {
  const { t } = useTranslation('order')
  // A finished form makes room for the next: save and new.
  const [round, setRound] = useState(0)
  const { data, error, refetch } = useNewRecordDraft<OrderValues>(orderApi)
  const queries = useQueryClient()
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <SkeletonLines lines={12} label={t('newOrder')} />
  const next = () => {
    queries.setQueryData([orderApi.path, 'new', 'form'], { draft: null })
    setRound(round + 1)
    scrollTo({ top: 0 })
  }
  return <NewOrder key={round} draft={data.draft} onNext={next} />
}

type OrderForm = EntityForm<typeof orderApi, OrderValues>

function NewOrder({ draft, onNext }: { draft: Draft<OrderValues> | null; onNext: () => void }) {
  const { t } = useTranslation('order')
  const navigate = useNavigate()
  const { home, pathOf } = useOrderHome()
  const labelOf = useOrderLabels()
  const wordsOf = useOrderWords(null)
  const [detailsOf, setDetailsOf] = useState<number | null>(null)
  const [stopOpen, setStopOpen] = useState<number | null>(null)
  const isNext = useRef(false)
  const [empty] = useState(() => {
    const profile = currentSession()?.profile
    return emptyOrder({ departmentId: profile?.departmentId ?? null, caseWorkerId: profile?.id ?? null })
  })
  const sayThatSaved = useSavedNotice()
  const form = useEntityForm<typeof orderApi, OrderValues>({
    api: orderApi,
    view: null,
    draft,
    empty,
    valuesOf: orderValuesOf,
    bodyOf: orderBodyOf,
    tidy: tidyOrder,
    check: checkOrder,
    atoms: ORDER_ATOMS,
    reveal: (path) => {
      setDetailsOf(lineBehind(path))
      setStopOpen(stopBehind(path))
    },
    onSaved: (view, isLeaving) => {
      sayThatSaved('order', view.number)
      if (isLeaving) return
      if (isNext.current) onNext()
      else void navigate({ to: pathOf(view.id) })
    },
  })
  const save = (andNew = false) => {
    isNext.current = andNew
    void form.save()
  }
  useShortcut({ key: 'Enter', mod: true, label: t('saveOrder'), run: () => save(), isEverywhere: true })
  useShortcut({ key: 'n', alt: true, label: t('saveAndNew'), run: () => save(true), isEverywhere: true })
  useShortcut({ key: 's', mod: true, label: t('saveOrder'), run: () => save(), isEverywhere: true })
  const buttons = (
    <>
      <Button loading={form.isSaving && isNext.current} onClick={() => save(true)}>
        {t('saveAndNew')}
        <span className={classes.keysBeside}>
          <KeyHint>{t('altN')}</KeyHint>
        </span>
      </Button>
      <Button variant="filled" loading={form.isSaving && !isNext.current} onClick={() => save()}>
        {t('saveOrder')}
        <span className={`${classes.keysBeside} ${classes.onAccent}`}>
          <KeyHint>{t('ctrlEnter')}</KeyHint>
        </span>
      </Button>
    </>
  )
  return (
    <FormProvider value={form.context}>
      <header className={classes.head}>
        <BackLink to={home} label={t('back')} />
        <h1>{t('newOrder')}</h1>
        <DraftMark kept={form.kept} />
        <div className={classes.headButtons}>{buttons}</div>
      </header>
      <div className={classes.columns}>
        <div className={classes.blocks}>
          <FormMessages form={form} labelOf={labelOf} wordsOf={wordsOf} />
          <CustomerBlock />
          <StopsBlock detailsOf={stopOpen} onDetails={setStopOpen} />
          <CargoBlock detailsOf={detailsOf} onDetails={setDetailsOf} />
          <PriceBlock />
        </div>
        <aside className={classes.rail} aria-label={t('new.aside')}>
          <ReadyList />
          <FilledFromCustomer />
          <SameLane />
          <p className={classes.keys}>
            <KeyHint>Ctrl</KeyHint> <KeyHint>Enter</KeyHint> {t('keys.newLine')}
            <br />
            <KeyHint>Ctrl</KeyHint> <KeyHint>D</KeyHint> {t('keys.copyAbove')}
            <br />
            <KeyHint>Alt</KeyHint> <KeyHint>Enter</KeyHint> {t('keys.more')}
            <br />
            <KeyHint>Alt</KeyHint> <KeyHint>↑</KeyHint> <KeyHint>↓</KeyHint> {t('keys.moveStop')}
            <br />
            <KeyHint>Alt</KeyHint> <KeyHint>T</KeyHint> {t('keys.splitLine')}
            <br />
            <KeyHint>Alt</KeyHint> <KeyHint>1</KeyHint>–<KeyHint>4</KeyHint> {t('keys.jump')}
          </p>
        </aside>
      </div>
      <OrderMailDock />
      <div className={classes.phoneBar}>
        <StickyBar label={t('saveOrder')}>
          <span className={classes.gap} />
          {buttons}
        </StickyBar>
      </div>
      <LeaveGuard form={form as OrderForm} name={t('newOrder')} labelOf={labelOf} />
    </FormProvider>
  )
}

function DraftMark({ kept }: { kept: KeptStore }) {
  const { t } = useTranslation('form')
  const format = useFormat()
  const keptAt = useKeptAt({ kept })
  return <span className={classes.draft}>{keptAt === null ? '' : t('draft.kept', { time: format.time(keptAt) })}</span>
}
