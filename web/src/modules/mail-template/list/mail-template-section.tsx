import { Button, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { getTemplate, listTemplates, type TemplateRow } from '@waybill/contract/email/template'
import type { Language } from '@waybill/contract/errors'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi } from '../../../kit/api/call-api.ts'
import { LoadError } from '../../../kit/api/load-error.tsx'
import { useErrorText } from '../../../kit/i18n/error-text.ts'
import { LANGUAGE_NAMES } from '../../../kit/i18n/languages.ts'
import { useShortcut } from '../../../kit/shortcuts/shortcuts.ts'
import { Icon } from '../../../ui/marks/icon.tsx'
import { KeyHint } from '../../../ui/marks/marks.tsx'
import { SkeletonLines } from '../../../ui/marks/skeleton.tsx'
import { notify } from '../../../ui/notices/notify.tsx'
import { Section } from '../../../ui/page/section.tsx'
import { ConfirmModal } from '../../../ui/windows/confirm-modal.tsx'
import { lateWindow } from '../../../ui/windows/late-window.tsx'
import { addLanguage, backToStandard } from '../new-text.ts'
import { templatePath, templatesKey, useMailNames } from '../template-names.ts'
import classes from './mail-template-section.module.css'
import { TAKE_OVER, TemplateGrid } from './template-grid.tsx'

const AddTemplate = lateWindow(() => import('./add-template.tsx').then((file) => file.AddTemplate))

const TakeOverInList = lateWindow(() => import('../copy/take-over-in-list.tsx').then((file) => file.TakeOverInList))

type Cell = TemplateRow['texts'][number]

/** What a department says in each mail, in each language: its own words, or the standard. */
export function MailTemplateSection({ departmentId }: { departmentId: number }) {
  const { t } = useTranslation('mail-template')
  const { data, error, refetch } = useQuery({
    queryKey: templatesKey(departmentId),
    queryFn: ({ signal }) => callApi(listTemplates, { params: { id: departmentId }, signal }),
  })
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <SkeletonLines lines={14} label={t('title')} />
  return <Texts departmentId={departmentId} rows={data.items} />
}

interface Asked {
  row: TemplateRow
  cell: Cell & { key: string }
}

function Texts({ departmentId, rows }: { departmentId: number; rows: readonly TemplateRow[] }) {
  const { t } = useTranslation('mail-template')
  const namesOf = useMailNames()
  const [typed, setTyped] = useState('')
  const [isAdding, setAdding] = useState(false)
  const [asked, setAsked] = useState<Asked | null>(null)
  const [taking, setTaking] = useState<{ row: TemplateRow; language: Language } | null>(null)
  const [isBusy, setBusy] = useState(false)
  const filter = useRef<HTMLInputElement>(null)
  const actions = useTextActions(departmentId)
  useShortcut({ key: '/', label: t('find'), run: () => filter.current?.focus() })
  const words = typed.trim().toLocaleLowerCase()
  const shown = rows.filter((row) => {
    const { title, variant, when, to } = namesOf(row)
    return words === '' || [title, variant, when, to].some((text) => text?.toLocaleLowerCase().includes(words))
  })
  const askFor = asked === null ? null : namesOf(asked.row)
  return (
    <>
      <Section
        title={t('title')}
        summary={<Sums rows={rows} />}
        isFlush
        actions={
          <TextInput
            ref={filter}
            className={classes.filter}
            size="xs"
            value={typed}
            aria-label={t('find')}
            placeholder={t('find')}
            leftSection={<Icon name="search" />}
            rightSection={<KeyHint>/</KeyHint>}
            onChange={(event) => setTyped(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === 'Escape') setTyped('')
            }}
          />
        }
      >
        {shown.length === 0 ? (
          <p className={classes.empty}>{t('nothingFound', { typed })}</p>
        ) : (
          <TemplateGrid
            departmentId={departmentId}
            rows={shown}
            onBack={(row, cell) => setAsked({ row, cell })}
            onTakeOver={(row, language) => setTaking({ row, language })}
            onMissing={(row, language) => void actions.addMissing(row, language)}
          />
        )}
        <footer className={classes.foot}>
          <span className={classes.keys} aria-hidden>
            {['↑', '↓', '←', '→'].map((key) => (
              <KeyHint key={key}>{key}</KeyHint>
            ))}{' '}
            {t('keys.cell')} <KeyHint>Enter</KeyHint> {t('keys.edit')} <KeyHint>{t('keys.delete')}</KeyHint>{' '}
            {t('keys.standard')} <KeyHint>{TAKE_OVER.toUpperCase()}</KeyHint> {t('takeOver.key')}
          </span>
          <Button size="compact-sm" leftSection={<Icon name="plus" size={13} />} onClick={() => setAdding(true)}>
            {t('add.button')}
          </Button>
        </footer>
      </Section>
      <p className={classes.means}>{t('means')}</p>
      {isAdding ? (
        <AddTemplate
          departmentId={departmentId}
          onClose={() => setAdding(false)}
          onAdded={(key) => actions.open(key)}
        />
      ) : null}
      {taking === null ? null : (
        <TakeOverInList departmentId={departmentId} {...taking} onClose={() => setTaking(null)} />
      )}
      <ConfirmModal
        isOpen={asked !== null}
        withInfoIcon
        title={t(asked?.row.name == null ? 'back.title' : 'back.deleteTitle')}
        confirmLabel={t(asked?.row.name == null ? 'back.confirm' : 'back.delete')}
        cancelLabel={t('cancel')}
        closeLabel={t('close')}
        isBusy={isBusy}
        onCancel={() => setAsked(null)}
        onConfirm={() => {
          if (asked === null) return
          setBusy(true)
          void actions.goBack(asked.cell.key).then(() => {
            setBusy(false)
            setAsked(null)
          })
        }}
      >
        {asked === null || askFor === null
          ? null
          : t(asked.row.name === null ? 'back.text' : 'back.deleteText', {
              title: [askFor.title, askFor.variant].filter(Boolean).join(', '),
              language: LANGUAGE_NAMES[asked.cell.language],
            })}
      </ConfirmModal>
    </>
  )
}

/** How many texts there are of each kind. */
function Sums({ rows }: { rows: readonly TemplateRow[] }) {
  const { t } = useTranslation('mail-template')
  const cells = rows.flatMap(({ texts }) => texts)
  const count = (source: Cell['source']) => cells.filter((cell) => cell.source === source).length
  const off = cells.filter(({ isOn }) => !isOn).length
  const mails = new Set(rows.map(({ type, name }) => name ?? type)).size
  const parts = [
    t('sums.own', { count: count('own') }),
    t('sums.standard', { count: count('standard') }),
    ...(count('missing') > 0 ? [t('sums.missing', { count: count('missing') })] : []),
    ...(off > 0 ? [t('sums.off', { count: off })] : []),
  ]
  return <>{t('sums.mails', { count: mails, parts: parts.join(', ') })}</>
}

/** What is done with a text from its cell, and what is said of it. */
function useTextActions(departmentId: number) {
  const { t } = useTranslation('mail-template')
  const navigate = useNavigate()
  const queries = useQueryClient()
  const errorText = useErrorText()
  const open = (key: string) => void navigate({ to: templatePath(departmentId, key) })
  const refresh = () => queries.invalidateQueries({ queryKey: templatesKey(departmentId) })
  const refused = (error: unknown) =>
    notify({ tone: 'danger', title: t('notChanged'), detail: errorText(error), closeLabel: t('close') })
  return {
    open,
    addMissing: async (row: TemplateRow, language: Language) => {
      const from = row.texts.find(({ key }) => key !== null)?.key
      if (from == null) return
      try {
        const made = await addLanguage(departmentId, from, language)
        await refresh()
        open(made.key)
      } catch (error) {
        refused(error)
      }
    },
    goBack: async (key: string) => {
      try {
        const before = await callApi(getTemplate, { params: { id: departmentId, key } })
        const undo = await backToStandard(before)
        await refresh()
        notify({
          tone: 'ok',
          title: t(before.name === null ? 'back.done' : 'back.deleted'),
          closeLabel: t('close'),
          action: {
            label: t('undo'),
            onClick: () => {
              undo().then(refresh, refused)
            },
          },
        })
      } catch (error) {
        await refresh()
        refused(error)
      }
    },
  }
}
