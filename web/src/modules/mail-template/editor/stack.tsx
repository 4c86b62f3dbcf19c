import { Button, Menu } from '@mantine/core'
import type { MailBlock, MailBlockKind } from '@waybill/contract/mail-blocks'
import type { Line } from '@waybill/contract/kit/rich-text'
import { REPLY_TO, type TemplateWrite } from '@waybill/contract/email/template'
import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormContext } from '../../../kit/form/state/form-context.ts'
import { FormCheck } from '../../../kit/form/fields/fields.tsx'
import { Segmented } from '../../../ui/fields/segmented.tsx'
import { Icon } from '../../../ui/marks/icon.tsx'
import { KeyHint } from '../../../ui/marks/marks.tsx'
import { BlockCard } from '../blocks/block-card.tsx'
import { BLOCK_ICONS, BLOCK_KINDS } from '../blocks/block-kinds.ts'
import blockClasses from '../blocks/blocks.module.css'
import { SortableList } from '../blocks/sortable.tsx'
import { StaticLine } from '../text/static-text.tsx'
import { WrittenText, type Point } from '../text/written-text.tsx'
import classes from './editor.module.css'
import { useEditorTools } from './editor-tools.ts'

interface StackProps {
  values: TemplateWrite
  inHand: { id: string | null; point: Point | null }
  /** Blocks that the chosen order leaves out */
  leftOut: readonly string[]
  onSelect: (id: string | null, point: Point | null) => void
  onAdd: (kind: MailBlockKind) => void
  onMove: (from: number, to: number) => void
}

/** The text itself, from its subject down. */
export function Stack({ values, inHand, leftOut, onSelect, onAdd, onMove }: StackProps) {
  const { t } = useTranslation('mail-template')
  const { say } = useEditorTools()
  const { get, set } = useFormContext()
  const { blocks, replyTo } = values
  // By its id: the place may be another one by the time a key arrives.
  const change = useCallback(
    (block: MailBlock) => {
      const index = (get('blocks') as MailBlock[]).findIndex(({ id }) => id === block.id)
      if (index !== -1) set(`blocks.${index}`, block)
    },
    [get, set],
  )
  return (
    <>
      <div className={classes.settings}>
        <FormCheck name="isOn" label={t('isOn')} />
        <span className={classes.reply}>
          {t('replyTo.label')}
          <Segmented
            isSmall
            label={t('replyTo.label')}
            value={replyTo}
            onChange={(next) => set('replyTo', next)}
            options={REPLY_TO.map((value) => ({ value, label: t(`replyTo.${value}`) }))}
          />
        </span>
      </div>
      <Subject line={values.subject} inHand={inHand} onSelect={onSelect} />
      <SortableList
        ids={blocks.map(({ id }) => id)}
        nameOf={(id) => {
          const index = blocks.findIndex((block) => block.id === id)
          return index === -1 ? '' : t(`block.${blocks[index]!.kind}`)
        }}
        say={say}
        onMove={onMove}
      >
        <ol className={classes.blocks} aria-label={t('blocks')} data-path="blocks">
          {blocks.map((block, index) => (
            <BlockCard
              key={block.id}
              block={block}
              index={index}
              isSelected={inHand.id === block.id}
              point={inHand.id === block.id ? inHand.point : null}
              isLeftOut={leftOut.includes(block.id)}
              onSelect={onSelect}
              onChange={change}
            />
          ))}
        </ol>
      </SortableList>
      <div className={classes.add}>
        <Menu position="top-start">
          <Menu.Target>
            <Button size="compact-sm" variant="subtle" leftSection={<Icon name="plus" size={13} />}>
              {t('block.one')}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {BLOCK_KINDS.map((kind) => (
              <Menu.Item key={kind} leftSection={<Icon name={BLOCK_ICONS[kind]} />} onClick={() => onAdd(kind)}>
                {t(`block.${kind}`)}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
        <span className={classes.addHint}>
          {t('orType')} <KeyHint>/</KeyHint> {t('onEmptyLine')}
        </span>
      </div>
    </>
  )
}

function Subject({ line, inHand, onSelect }: Pick<StackProps, 'inHand' | 'onSelect'> & { line: Line }) {
  const { t } = useTranslation('mail-template')
  const { set, problems } = useFormContext()
  const wrong = problems.find(({ path }) => path === 'subject' || path.startsWith('subject.'))
  const isSelected = inHand.id === 'subject'
  return (
    <div className={classes.subject}>
      <span className={classes.label}>{t('subject')}</span>
      <div
        className={classes.subjectBox}
        data-selected={isSelected || undefined}
        data-wrong={wrong !== undefined || undefined}
      >
        <WrittenText
          value={line}
          isLine
          isOpen={isSelected}
          label={t('subject')}
          path="subject"
          point={inHand.point}
          isWrong={wrong !== undefined}
          onSelect={(point) => onSelect('subject', point)}
          onChange={(next) => set('subject', next)}
        >
          {line.length === 0 ? <br /> : <StaticLine line={line} />}
        </WrittenText>
      </div>
      {wrong === undefined ? null : (
        <p className={blockClasses.error}>
          <Icon name="alert" size={13} /> {wrong.message}
        </p>
      )}
    </div>
  )
}
