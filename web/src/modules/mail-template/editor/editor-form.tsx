import { Button } from '@mantine/core'
import type { Editor } from '@tiptap/core'
import { nameIn as nameInLanguage, catalogueOf } from '../text/catalogue.ts'
import type { MailBlock, MailBlockKind } from '@waybill/contract/mail-blocks'
import type { RichText } from '@waybill/contract/kit/rich-text'
import type { TemplateWrite } from '@waybill/contract/email/template'
import { lazy, Suspense, useCallback, useMemo, useState, useSyncExternalStore, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { currentLanguage } from '../../../kit/i18n/i18n.ts'
import { useScreenTitle } from '../../../kit/record/screen-title.ts'
import { FormMessages } from '../../../kit/form/page/form-messages.tsx'
import { LeaveGuard } from '../../../kit/form/page/leave-guard.tsx'
import type { Draft } from '../../../kit/form/state/draft-store.ts'
import { FormProvider } from '../../../kit/form/state/form-context.ts'
import { newKey } from '../../../kit/form/state/values.ts'
import { Icon } from '../../../ui/marks/icon.tsx'
import { notify } from '../../../ui/notices/notify.tsx'
import { StickyBar } from '../../../ui/page/page-head.tsx'
import { lateWindow } from '../../../ui/windows/late-window.tsx'
import { useFetchOnTouch } from '../../../ui/windows/fetch-on-touch.ts'
import { isBlank, newBlock } from '../blocks/block-kinds.ts'
import { PaletteDrag } from '../blocks/palette-drag.tsx'
import { moved } from '../blocks/moved.ts'
import { OrderPicker } from '../preview/order-picker.tsx'
import { PreviewColumn } from '../preview/preview-column.tsx'
import { usePreview } from '../preview/use-preview.ts'
import { putAtCaret, takesSnippets } from '../snippets/put-snippet.ts'
import { useSnippets } from '../snippets/use-snippets.ts'
import { useMailNames } from '../template-names.ts'
import { fetchTextEditor, type Point } from '../text/written-text.tsx'
import { BlockBar } from './block-bar.tsx'
import classes from './editor.module.css'
import { EditorFoot } from './editor-foot.tsx'
import { EditorHead } from './editor-head.tsx'
import { EditorToolsProvider, type EditorTools } from './editor-tools.ts'
import { LanguageTabs } from './language-tabs.tsx'
import { Palette } from './palette.tsx'
import { Stack } from './stack.tsx'
import { fieldsOf, withField } from './template-values.ts'
import { useTemplateForm, type TemplateView } from './use-template-form.ts'
import { useValueNames } from './use-value-names.ts'

// The subject is opened like a block.
const SUBJECT = 'subject'

const TakeOverInEditor = lateWindow(() =>
  import('../copy/take-over-in-editor.tsx').then((file) => file.TakeOverInEditor),
)
const BackModal = lazy(() => import('./back-modal.tsx').then((file) => ({ default: file.BackModal })))
const VersionsColumn = lazy(() =>
  import('../preview/versions-column.tsx').then((file) => ({ default: file.VersionsColumn })),
)

/** Alt+F10 goes to the tools: Tab goes past the other texts, and each that it enters is in hand instead. */
function goToTools(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'F10' || !event.altKey) return
  event.preventDefault()
  event.currentTarget.querySelector<HTMLElement>('[role="toolbar"] button:not(:disabled)')?.focus()
}

interface EditorFormProps {
  view: TemplateView
  draft: Draft<TemplateWrite> | null
  /** Reads the text anew: it is the standard again */
  onReload: () => void
}

interface InHand {
  id: string | null
  point: Point | null
}

/** The three columns: what may be put in, the text, and the mail. */
export function EditorForm({ view, draft, onReload }: EditorFormProps) {
  const { t } = useTranslation('mail-template')
  const form = useTemplateForm(view, draft)
  const template = form.view ?? view
  const names = useMailNames()(template)
  const title = [names.title, names.variant].filter(Boolean).join(', ')
  useScreenTitle(title)
  useFetchOnTouch(fetchTextEditor)

  const language = currentLanguage()
  const { type, variant } = template
  const catalogue = useMemo(
    () => catalogueOf({ type, variant }, language, (group) => t(`group.${group}`)),
    [type, variant, language, t],
  )
  const { store } = form.context
  const values = useSyncExternalStore(store.subscribe, store.get) as TemplateWrite
  const unknown = useMemo(() => fieldsOf(values).filter(({ key }) => !catalogue.isKnown(key)), [values, catalogue])

  const [orderId, setOrderId] = useState<number | null>(null)
  const preview = usePreview(form, template, catalogue, orderId)
  const [inHand, setInHand] = useState<InHand>({ id: null, point: null })
  const [editor, setEditor] = useState<Editor | null>(null)
  const [said, say] = useState<string | null>(null)
  const [isComparing, setComparing] = useState(false)
  const [isPreviewOpen, setPreviewOpen] = useState(false)
  const [isTakingOver, setTakingOver] = useState(false)
  const [asksBack, setAsksBack] = useState(false)
  const select = useCallback((id: string | null, point: Point | null) => setInHand({ id, point }), [])

  const blocksNow = () => form.values().blocks
  const putBlocks = (blocks: MailBlock[]) => form.set('blocks', blocks)
  const nameIn = (key: string) => nameInLanguage(key, template.language)
  const addBlock = (what: MailBlockKind | RichText, after: string | null) => {
    const blocks = blocksNow()
    const made: MailBlock =
      typeof what === 'string'
        ? newBlock(what, catalogue, nameIn)
        : { id: newKey(), kind: 'paragraph', onlyIf: null, text: structuredClone(what) }
    const at = after === null ? blocks.length - 1 : blocks.findIndex(({ id }) => id === after)
    // An empty paragraph in which a block was asked for makes room for it.
    const isReplaced = after !== null && blocks[at] !== undefined && isBlank(blocks[at])
    putBlocks(blocks.toSpliced(isReplaced ? at : at + 1, isReplaced ? 1 : 0, made))
    select(made.id, null)
    requestAnimationFrame(() =>
      document.querySelector(`[data-handle="${made.id}"]`)?.scrollIntoView({ block: 'nearest' }),
    )
  }
  const dropBlock = (kind: MailBlockKind, at: number) => {
    const made = newBlock(kind, catalogue, nameIn)
    putBlocks(blocksNow().toSpliced(at, 0, made))
    select(made.id, null)
  }
  const orderValues = preview.mail?.values
  const snippets = useSnippets(template.id, template.language)
  const tools = useMemo(
    (): EditorTools => ({
      catalogue,
      language: template.language,
      values: orderValues ?? {},
      lookOf: (key, fallback) => ({
        label: catalogue.labelOf(key),
        isKnown: catalogue.isKnown(key),
        title: catalogue.isKnown(key)
          ? (orderValues?.[key] ?? fallback ?? t('noValue'))
          : t('unknownField', { field: key }),
      }),
      editor,
      setEditor,
      snippets,
      addBlock,
      say,
    }),
    // eslint-disable-next-line react-hooks/exhaustive-deps -- `addBlock` reads the values of the moment
    [catalogue, template.language, orderValues, editor, snippets, t],
  )

  const labels = useValueNames(catalogue)
  const blockName = (id: string): string => {
    const at = values.blocks.findIndex((block) => block.id === id)
    if (at === -1) return ''
    const name = labels.nameOf(values.blocks[at]!, at)
    const condition = values.blocks[at]!.onlyIf
    return condition === null ? name : t('preview.becauseOf', { name, field: catalogue.labelOf(condition.variable) })
  }
  const wordsOf = (path: string, value: unknown) => labels.wordsOf(path, value)
  const actions = {
    move: (from: number, to: number) => {
      if (to >= 0 && to < blocksNow().length) putBlocks(moved(blocksNow(), from, to))
    },
    duplicate: (index: number) => {
      const copy = { ...structuredClone(blocksNow()[index]!), id: newKey() }
      putBlocks(blocksNow().toSpliced(index + 1, 0, copy))
      select(copy.id, null)
    },
    remove: (index: number) => {
      const gone = blocksNow()[index]!
      const name = labels.nameOf(gone, index)
      putBlocks(blocksNow().toSpliced(index, 1))
      const next = blocksNow()[Math.max(0, index - 1)]
      select(null, null)
      requestAnimationFrame(() => document.querySelector<HTMLElement>(`[data-handle="${next?.id}"]`)?.focus())
      notify({
        tone: 'info',
        title: t('removed', { name }),
        closeLabel: t('close'),
        id: 'block-removed',
        action: {
          label: t('undo'),
          onClick: () => putBlocks(blocksNow().toSpliced(Math.min(index, blocksNow().length), 0, gone)),
        },
      })
    },
    toggleIf: (index: number) => {
      const block = blocksNow()[index]!
      const onlyIf = block.onlyIf === null ? { variable: catalogue.fields[0]!.key, equals: null } : null
      form.set(`blocks.${index}`, { ...block, onlyIf })
    },
  }
  const handAt = values.blocks.findIndex(({ id }) => id === inHand.id)
  const picker = (
    <OrderPicker
      departmentId={template.id}
      templateKey={template.key}
      order={preview.mail?.order ?? null}
      isLoading={preview.mail === null && preview.error === null}
      onChange={setOrderId}
    />
  )
  return (
    <FormProvider value={form.context}>
      <EditorToolsProvider value={tools}>
        <div className={classes.page} data-preview={isPreviewOpen || undefined}>
          <EditorHead
            form={form}
            template={template}
            title={title}
            note={`${names.to} · ${names.when}`}
            wrong={unknown.length}
            orderId={preview.mail?.order?.id ?? null}
            onVersions={() => {
              setComparing(!isComparing)
              setPreviewOpen(!isComparing)
            }}
            isComparing={isComparing}
            onBack={() => setAsksBack(true)}
            onTakeOver={() => setTakingOver(true)}
          />
          <PaletteDrag say={say} onDrop={dropBlock}>
            <Palette
              departmentId={template.id}
              onAdd={(kind) => addBlock(kind, inHand.id === SUBJECT ? null : inHand.id)}
              onField={(key) => editor?.chain().focus().insertContent({ type: 'variable', attrs: { key } }).run()}
              onSnippet={takesSnippets(editor) ? ({ text }) => putAtCaret(editor, text) : null}
              onOwnSnippet={({ text }) => addBlock(text, inHand.id === SUBJECT ? null : inHand.id)}
              onOnlyIf={handAt === -1 ? null : () => actions.toggleIf(handAt)}
              canPut={editor !== null}
            />
            <section className={classes.editor} aria-label={t('text')} onKeyDown={goToTools}>
              <LanguageTabs template={template} />
              <BlockBar departmentId={template.id} blocks={values.blocks} inHand={inHand.id} actions={actions} />
              <div className={classes.scroll} data-scroll>
                <FormMessages
                  form={form}
                  labelOf={(path) => labels.labelOf(path, values)}
                  wordsOf={wordsOf}
                  other={template.editedBy?.title ?? null}
                />
                <Stack
                  values={values}
                  inHand={inHand}
                  leftOut={preview.mail?.leftOut ?? []}
                  onSelect={select}
                  onAdd={(kind) => addBlock(kind, null)}
                  onMove={actions.move}
                />
              </div>
              <EditorFoot
                said={said}
                unknown={unknown}
                counts={{ blocks: values.blocks.length, fields: fieldsOf(values).length }}
                version={template.version}
                onMend={(from, to) => {
                  const mended = withField(form.values(), from, to)
                  form.set('subject', mended.subject)
                  form.set('blocks', mended.blocks)
                }}
              />
            </section>
          </PaletteDrag>
          <div className={classes.preview}>
            {isComparing ? (
              <Suspense>
                <VersionsColumn
                  form={form}
                  template={template}
                  linesOf={labels.linesOf}
                  onRestore={(text) => {
                    select(null, null)
                    for (const [name, value] of Object.entries(text)) form.set(name, value)
                    setComparing(false)
                    setPreviewOpen(false)
                    notify({ tone: 'info', title: t('versions.restored'), closeLabel: t('close') })
                  }}
                  onClose={() => {
                    setComparing(false)
                    setPreviewOpen(false)
                  }}
                />
              </Suspense>
            ) : (
              <PreviewColumn
                preview={preview}
                labelOf={catalogue.labelOf}
                blockName={blockName}
                picker={picker}
                back={
                  <Button
                    className={classes.phoneOnly}
                    leftSection={<Icon name="chevronLeft" />}
                    onClick={() => setPreviewOpen(false)}
                  >
                    {t('text')}
                  </Button>
                }
              />
            )}
          </div>
        </div>
        <div className={classes.phoneBar}>
          <StickyBar label={t('saveBar')}>
            <Button onClick={() => setPreviewOpen(!isPreviewOpen)}>
              {t(isPreviewOpen ? 'text' : 'preview.title')}
            </Button>
            <span className={classes.gap} />
            <Button
              variant="filled"
              loading={form.isSaving}
              disabled={unknown.length > 0}
              onClick={() => void form.save()}
            >
              {t('save')}
            </Button>
          </StickyBar>
        </div>
        <LeaveGuard form={form} name={<b>{title}</b>} labelOf={(path) => labels.labelOf(path, form.values())} />
        {isTakingOver ? (
          <TakeOverInEditor
            form={form}
            template={template}
            onTaken={() => select(null, null)}
            onClose={() => setTakingOver(false)}
          />
        ) : null}
        {asksBack && (
          <Suspense>
            <BackModal
              form={form}
              template={template}
              title={title}
              onReload={onReload}
              onDone={() => setAsksBack(false)}
            />
          </Suspense>
        )}
      </EditorToolsProvider>
    </FormProvider>
  )
}
