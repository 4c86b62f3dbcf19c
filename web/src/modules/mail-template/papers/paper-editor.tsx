import { Button, Menu } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import type { Editor } from '@tiptap/core'
import { paperKey } from '@waybill/contract/email/paper-key'
import {
  listPaperOrders,
  listPaperTemplates,
  removePaperTemplate,
  putPaperTemplate,
  variablesOfPaperType,
  type PaperWrite,
} from '@waybill/contract/email/paper-template'
import { variablesOfPaper, type PaperText } from '@waybill/contract/kit/rich-text'
import { LANGUAGES } from '@waybill/contract/errors'
import { CONTENT_MODES } from '@waybill/contract/kit/content-modes'
import { lazy, Suspense, useMemo, useState, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi } from '../../../kit/api/call-api.ts'
import { BackLink } from '../../../kit/form/page/back-link.tsx'
import { FormMessages } from '../../../kit/form/page/form-messages.tsx'
import { LeaveGuard } from '../../../kit/form/page/leave-guard.tsx'
import { UnsavedMark } from '../../../kit/form/page/save-bar.tsx'
import type { Draft } from '../../../kit/form/state/draft-store.ts'
import { focusPath } from '../../../kit/form/state/focus-path.ts'
import { FormProvider } from '../../../kit/form/state/form-context.ts'
import { useErrorText } from '../../../kit/i18n/error-text.ts'
import { currentLanguage } from '../../../kit/i18n/i18n.ts'
import { LANGUAGE_NAMES } from '../../../kit/i18n/languages.ts'
import { useScreenTitle } from '../../../kit/record/screen-title.ts'
import { useShortcut } from '../../../kit/shortcuts/shortcuts.ts'
import { Segmented } from '../../../ui/fields/segmented.tsx'
import { Icon } from '../../../ui/marks/icon.tsx'
import { notify } from '../../../ui/notices/notify.tsx'
import { StickyBar } from '../../../ui/page/page-head.tsx'
import { TabBar } from '../../../ui/page/tab-bar.tsx'
import { ConfirmModal } from '../../../ui/windows/confirm-modal.tsx'
import editorClasses from '../editor/editor.module.css'
import { EditorToolsProvider, type EditorTools } from '../editor/editor-tools.ts'
import { FieldList } from '../editor/field-list.tsx'
import { withField } from '../editor/template-values.ts'
import { numbered } from '../numbered.ts'
import { OrderPicker } from '../preview/order-picker.tsx'
import { putAtCaret, putBelow } from '../snippets/put-snippet.ts'
import { useSnippets } from '../snippets/use-snippets.ts'
import { templatePath } from '../template-names.ts'
import { catalogueOfKeys } from '../text/catalogue.ts'
import { TextEditor, type TextShape } from '../text/text-editor.tsx'
import { PaperBar } from './paper-bar.tsx'
import { docOfPaper, linesOfPaper, paperOfDoc } from './paper-doc.ts'
import { paperExtensions } from './paper-extensions.ts'
import { paperListLink, papersKey } from './paper-names.ts'
import { PaperPreview, usePaperPreview } from './paper-preview.tsx'
import classes from './papers.module.css'
import { usePaperForm, type PaperView } from './use-paper-form.ts'

const PaperVersions = lazy(() => import('./paper-versions.tsx').then((file) => ({ default: file.PaperVersions })))

const SHAPE: TextShape = { extensions: paperExtensions, docOf: docOfPaper, valueOf: paperOfDoc }

interface PaperEditorProps {
  view: PaperView
  draft: Draft<PaperWrite> | null
  /** Reads the text anew: it is the standard again */
  onReload: () => void
}

/** The three columns: the fields, the text with ours above it, and the document. */
export function PaperEditor({ view, draft, onReload }: PaperEditorProps) {
  const { t } = useTranslation('paper-template')
  const mail = useTranslation('mail-template').t
  const form = usePaperForm(view, draft)
  const template = form.view ?? view
  const { id, type, language } = template
  const title = t(`type.${type}`)
  useScreenTitle(title)
  useShortcut({ key: 's', mod: true, label: mail('save'), run: () => void form.save(), isEverywhere: true })

  const spoken = currentLanguage()
  const catalogue = useMemo(
    () => catalogueOfKeys(variablesOfPaperType(type), spoken, (group) => mail(`group.${group as 'order'}`)),
    [type, spoken, mail],
  )
  const { store } = form.context
  const values = useSyncExternalStore(store.subscribe, store.get) as PaperWrite
  const fields = useMemo(() => variablesOfPaper(values.body, ['body']), [values.body])
  const unknown = fields.filter(({ key }) => !catalogue.isKnown(key))
  const [orderId, setOrderId] = useState<number | null>(null)
  const preview = usePaperPreview(form, template, catalogue, orderId)
  const [editor, setEditor] = useState<Editor | null>(null)
  const [isComparing, setComparing] = useState(false)
  const [isPreviewOpen, setPreviewOpen] = useState(false)
  const [asksBack, setAsksBack] = useState(false)
  const back = useWayBack(template, form, onReload)
  const orderValues = preview.drawn?.values
  const snippets = useSnippets(id, language)
  const tools = useMemo(
    (): EditorTools => ({
      catalogue,
      language,
      values: orderValues ?? {},
      lookOf: (key, fallback) => ({
        label: catalogue.labelOf(key),
        isKnown: catalogue.isKnown(key),
        title: catalogue.isKnown(key)
          ? (orderValues?.[key] ?? fallback ?? mail('noValue'))
          : mail('unknownField', { field: key }),
      }),
      editor,
      setEditor,
      snippets,
      addBlock: () => undefined,
      say: () => undefined,
    }),
    [catalogue, language, orderValues, editor, snippets, mail],
  )
  const labelOf = (path: string) => t(path.startsWith('mode') ? 'mode' : 'ownText')
  const wordsOf = (path: string, value: unknown) =>
    path === 'mode'
      ? t(`modes.${value as 'append'}`)
      : Array.isArray(value)
        ? linesOfPaper(value as PaperText, catalogue.labelOf).join('\n')
        : mail('nothing')
  const showVersions = (isShown: boolean) => {
    setComparing(isShown)
    setPreviewOpen(isShown)
  }
  const wrong = unknown[0]
  const mend = wrong === undefined ? null : catalogue.nearest(wrong.key)
  const cannotSave = unknown.length > 0
  return (
    <FormProvider value={form.context}>
      <EditorToolsProvider value={tools}>
        <div className={editorClasses.page} data-preview={isPreviewOpen || undefined}>
          <header className={editorClasses.head}>
            <BackLink {...paperListLink(id)} label={mail('toList', { department: template.department.title })} />
            <div className={editorClasses.name}>
              <h1 title={title}>{title}</h1>
              <p>
                <Link {...paperListLink(id)}>{template.department.title}</Link> · {t('one')}
              </p>
            </div>
            {cannotSave ? (
              <span className={editorClasses.why} id="why-not-saved">
                {mail('cannotSave', { count: unknown.length })}
              </span>
            ) : (
              <UnsavedMark form={form} />
            )}
            <Button
              className={editorClasses.deskOnly}
              leftSection={<Icon name="history" />}
              aria-pressed={isComparing}
              onClick={() => showVersions(!isComparing)}
            >
              {mail('versions.title')}
            </Button>
            <Button
              className={editorClasses.deskOnly}
              variant="filled"
              loading={form.isSaving}
              disabled={cannotSave}
              aria-describedby={cannotSave ? 'why-not-saved' : undefined}
              onClick={() => void form.save()}
            >
              {mail('save')}
            </Button>
            <Menu position="bottom-end">
              <Menu.Target>
                <Button variant="subtle" aria-label={mail('more')} className={editorClasses.more}>
                  <Icon name="more" />
                </Button>
              </Menu.Target>
              <Menu.Dropdown>
                <Menu.Item
                  className={editorClasses.phoneOnly}
                  leftSection={<Icon name="history" />}
                  onClick={() => showVersions(!isComparing)}
                >
                  {mail('versions.title')}
                </Menu.Item>
                <Menu.Item
                  leftSection={<Icon name="undo" />}
                  disabled={!template.isOwn}
                  onClick={() => setAsksBack(true)}
                >
                  {mail(template.isOwn ? 'back.confirm' : 'back.isStandard')}
                </Menu.Item>
              </Menu.Dropdown>
            </Menu>
          </header>
          <aside className={editorClasses.palette} aria-label={mail('fields')}>
            <div className={editorClasses.paletteHead}>
              <h2>{mail('fields')}</h2>
            </div>
            <FieldList
              canPut={editor !== null}
              snippets={{
                departmentId: id,
                onPut: editor === null ? null : ({ text }) => putAtCaret(editor, text),
                onOwn: editor === null ? null : ({ text }) => putBelow(editor, text),
              }}
              onField={(key) => editor?.chain().focus().insertContent({ type: 'variable', attrs: { key } }).run()}
            />
          </aside>
          <section className={editorClasses.editor} aria-label={mail('text')}>
            <PaperLanguages template={template} />
            <div className={classes.work} data-scroll>
              <FormMessages form={form} labelOf={labelOf} wordsOf={wordsOf} other={template.editedBy?.title ?? null} />
              <div className={classes.mode}>
                <Segmented
                  label={t('mode')}
                  value={values.mode}
                  onChange={(mode) => form.set('mode', mode)}
                  options={CONTENT_MODES.map((mode) => ({ value: mode, label: t(`modes.${mode}`) }))}
                />
                <p>{t(`means.${values.mode}`)}</p>
              </div>
              <PaperBar departmentId={id} />
              <div className={classes.page} lang={language}>
                {template.standard.length === 0 ? null : (
                  <section
                    className={classes.standard}
                    aria-label={t('standardText')}
                    data-off={values.mode === 'replace' || undefined}
                  >
                    <h3>
                      <Icon name="lock" /> {t(values.mode === 'replace' ? 'standardGone' : 'standardText')}
                    </h3>
                    {values.mode === 'replace'
                      ? null
                      : numbered(template.standard).map(({ key, item }) => <p key={key}>{item}</p>)}
                  </section>
                )}
                <section className={classes.own} data-off={values.mode === 'standard' || undefined}>
                  <h3>
                    <Icon name="edit" /> {t(values.mode === 'standard' ? 'ownUnused' : 'ownText')}
                  </h3>
                  <TextEditor
                    value={values.body}
                    isLine={false}
                    shape={SHAPE}
                    isQuiet
                    label={t('ownText')}
                    path="body"
                    point={null}
                    isWrong={cannotSave}
                    onChange={(body) => form.set('body', body as PaperText)}
                  />
                </section>
              </div>
            </div>
            <footer className={editorClasses.foot} data-wrong={cannotSave || undefined}>
              <span className={editorClasses.said} role="status">
                {wrong === undefined ? (
                  <>
                    <Icon name="check" className={editorClasses.good} />
                    <span>{mail('foot.fields', { count: fields.length })}</span>
                  </>
                ) : (
                  <>
                    <Icon name="alert" className={editorClasses.bad} />
                    <span>
                      <button type="button" title={mail('foot.goTo')} onClick={() => focusPath('body')}>
                        {wrong.key}
                      </button>{' '}
                      {mail('foot.unknown', { count: unknown.filter(({ key }) => key === wrong.key).length })}
                    </span>
                  </>
                )}
              </span>
              {wrong !== undefined && mend !== null ? (
                <Button
                  size="compact-sm"
                  onClick={() => form.set('body', withField(form.values().body, wrong.key, mend.key))}
                >
                  {mail('foot.use', { field: mend.label })}
                </Button>
              ) : null}
              {wrong === undefined ? (
                <span className={editorClasses.hint}>{mail(template.isOwn ? 'foot.next' : 'foot.own')}</span>
              ) : null}
            </footer>
          </section>
          <div className={editorClasses.preview}>
            {isComparing ? (
              <Suspense>
                <PaperVersions
                  form={form}
                  template={template}
                  linesOf={({ mode, body }) => [t(`modes.${mode}`), ...linesOfPaper(body, catalogue.labelOf)]}
                  onClose={() => showVersions(false)}
                  onRestore={({ mode, body }) => {
                    form.set('mode', mode)
                    form.set('body', body)
                    showVersions(false)
                    notify({ tone: 'info', title: mail('versions.restored'), closeLabel: mail('close') })
                  }}
                />
              </Suspense>
            ) : (
              <PaperPreview
                preview={preview}
                title={title}
                labelOf={catalogue.labelOf}
                picker={
                  <OrderPicker
                    departmentId={id}
                    templateKey={template.key}
                    endpoint={listPaperOrders}
                    order={preview.drawn?.order ?? null}
                    isLoading={preview.drawn === null && preview.error === null}
                    onChange={setOrderId}
                  />
                }
                back={
                  <Button
                    className={editorClasses.phoneOnly}
                    leftSection={<Icon name="chevronLeft" />}
                    onClick={() => setPreviewOpen(false)}
                  >
                    {mail('text')}
                  </Button>
                }
              />
            )}
          </div>
        </div>
        <div className={editorClasses.phoneBar}>
          <StickyBar label={mail('saveBar')}>
            <Button onClick={() => setPreviewOpen(!isPreviewOpen)}>
              {mail(isPreviewOpen ? 'text' : 'preview.title')}
            </Button>
            <span className={editorClasses.gap} />
            <Button variant="filled" loading={form.isSaving} disabled={cannotSave} onClick={() => void form.save()}>
              {mail('save')}
            </Button>
          </StickyBar>
        </div>
        <LeaveGuard form={form} name={<b>{title}</b>} labelOf={labelOf} />
        <ConfirmModal
          isOpen={asksBack}
          withInfoIcon
          title={mail('back.title')}
          confirmLabel={mail('back.confirm')}
          cancelLabel={mail('cancel')}
          closeLabel={mail('close')}
          isBusy={back.isBusy}
          onCancel={() => setAsksBack(false)}
          onConfirm={() => void back.go().finally(() => setAsksBack(false))}
        >
          {t('back', { title, language: LANGUAGE_NAMES[language] })}
        </ConfirmModal>
      </EditorToolsProvider>
    </FormProvider>
  )
}

/** Back to the standard, with a way to take it back. */
function useWayBack(template: PaperView, form: ReturnType<typeof usePaperForm>, onReload: () => void) {
  const mail = useTranslation('mail-template').t
  const queries = useQueryClient()
  const errorText = useErrorText()
  const [isBusy, setBusy] = useState(false)
  const { id, key, version, mode, body } = template
  const params = { id, key }
  const refused = (error: unknown) =>
    notify({ tone: 'danger', title: mail('notChanged'), detail: errorText(error), closeLabel: mail('close') })
  const reload = () => {
    void queries.invalidateQueries({ queryKey: papersKey(id) })
    onReload()
  }
  const go = async () => {
    setBusy(true)
    try {
      await callApi(removePaperTemplate, { params, version })
      await form.abandon()
      reload()
      const undo = () => {
        callApi(putPaperTemplate, { params, body: { mode, body }, version: 0 }).then(reload, refused)
      }
      notify({
        tone: 'ok',
        title: mail('back.done'),
        closeLabel: mail('close'),
        action: { label: mail('undo'), onClick: undo },
      })
    } catch (error) {
      if (!form.takeRefusal(error)) refused(error)
    } finally {
      setBusy(false)
    }
  }
  return { go, isBusy }
}

/** The same document in the other languages. */
function PaperLanguages({ template }: { template: PaperView }) {
  const mail = useTranslation('mail-template').t
  const navigate = useNavigate()
  const { id, type, language } = template
  const { data } = useQuery({
    queryKey: papersKey(id),
    queryFn: ({ signal }) => callApi(listPaperTemplates, { params: { id }, signal }),
  })
  const texts = data?.items.find((row) => row.type === type)?.texts ?? []
  return (
    <div className={editorClasses.languages}>
      <TabBar
        label={mail('languages')}
        current={language}
        onSelect={(chosen) => {
          if (chosen !== language) void navigate({ to: templatePath(id, paperKey({ type, language: chosen })) })
        }}
        tabs={LANGUAGES.map((one) => {
          const isOwn = one === language ? template.isOwn : texts.find((text) => text.language === one)?.isOwn
          return {
            key: one,
            label: (
              <>
                {LANGUAGE_NAMES[one]}
                {isOwn === undefined ? null : (
                  <span className={editorClasses.source}>{mail(isOwn ? 'cell.own' : 'cell.standard')}</span>
                )}
              </>
            ),
          }
        })}
      />
    </div>
  )
}
