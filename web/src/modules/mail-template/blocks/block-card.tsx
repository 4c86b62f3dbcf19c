import type { MailBlock } from '@waybill/contract/mail-blocks'
import { memo, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@mantine/core'
import { useFormContext } from '../../../kit/form/state/form-context.ts'
import { Icon } from '../../../ui/marks/icon.tsx'
import { useEditorTools } from '../editor/editor-tools.ts'
import { StaticLine, StaticText } from '../text/static-text.tsx'
import { WrittenText, type Point } from '../text/written-text.tsx'
import { BlockFields, BlockWords } from './block-bodies.tsx'
import { BLOCK_ICONS } from './block-kinds.ts'
import classes from './blocks.module.css'
import { OnlyIfFields, OnlyIfWords } from './only-if.tsx'
import { SortableRow } from './sortable.tsx'

interface BlockCardProps {
  block: MailBlock
  index: number
  isSelected: boolean
  /** Where the caret goes as it is opened */
  point: Point | null
  /** The chosen order leaves it out */
  isLeftOut: boolean
  onSelect: (id: string | null, point: Point | null) => void
  onChange: (block: MailBlock) => void
}

/** The text itself, and no list open at its caret: that one is put away first. */
const isFreeText = (target: EventTarget): boolean =>
  target instanceof HTMLElement && target.isContentEditable && !target.hasAttribute('aria-controls')

/** One block of the mail; the one in hand can be changed, the others show what they say. */
export const BlockCard = memo(function BlockCard({
  block,
  index,
  isSelected,
  point,
  isLeftOut,
  onSelect,
  onChange,
}: BlockCardProps) {
  const { t } = useTranslation('mail-template')
  const { problems } = useFormContext()
  const path = `blocks.${index}`
  const own = problems.filter((problem) => problem.path.startsWith(`${path}.`))
  const name = t('placed', { name: t(`block.${block.kind}`), place: index + 1 })
  const put = (event: KeyboardEvent<HTMLElement>) => {
    event.preventDefault()
    event.stopPropagation()
    onSelect(null, null)
    event.currentTarget.closest('li')?.querySelector<HTMLElement>('[data-handle]')?.focus()
  }
  return (
    <SortableRow
      id={block.id}
      label={t('move.handle', { name })}
      className={classes.block}
      attributes={{
        'data-selected': isSelected || undefined,
        'data-if': block.onlyIf !== null || undefined,
        'data-wrong': own.length > 0 || undefined,
      }}
    >
      <div
        className={classes.box}
        data-path={path}
        data-block={block.kind}
        role="group"
        aria-label={name}
        tabIndex={-1}
        // Before the text hears it: there Escape would choose the whole text.
        onKeyDownCapture={(event) => {
          if (event.key === 'Escape' && isSelected && isFreeText(event.target)) put(event)
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && isSelected && !event.defaultPrevented) put(event)
        }}
      >
        {block.onlyIf === null ? null : (
          <div className={classes.if}>
            {isSelected ? (
              <OnlyIfFields
                condition={block.onlyIf}
                path={`${path}.onlyIf`}
                onChange={(onlyIf) => onChange({ ...block, onlyIf })}
              />
            ) : (
              <OnlyIfWords condition={block.onlyIf} />
            )}
            {isLeftOut ? <span className={classes.leftOut}>{t('preview.notIn')}</span> : null}
          </div>
        )}
        {block.kind === 'paragraph' || block.kind === 'heading' ? (
          <WrittenBlock
            block={block}
            path={path}
            name={name}
            isSelected={isSelected}
            isWrong={own.length > 0}
            point={point}
            onSelect={onSelect}
            onChange={onChange}
          />
        ) : isSelected ? (
          <BlockFields block={block} path={path} onChange={onChange} />
        ) : (
          <div className={classes.auto}>
            <Icon name={BLOCK_ICONS[block.kind]} />
            <span className={classes.says}>
              <BlockWords block={block} />
            </span>
            <Button
              size="compact-sm"
              variant="subtle"
              aria-label={t('changeBlock', { name })}
              onClick={() => onSelect(block.id, null)}
            >
              {t('change')}
            </Button>
          </div>
        )}
        {own.map((problem) => (
          <p key={problem.path} className={classes.error}>
            <Icon name="alert" size={13} /> {problem.message}
          </p>
        ))}
      </div>
    </SortableRow>
  )
})

interface WrittenBlockProps extends Pick<BlockCardProps, 'isSelected' | 'point' | 'onSelect' | 'onChange'> {
  block: Extract<MailBlock, { kind: 'paragraph' | 'heading' }>
  path: string
  name: string
  isWrong: boolean
}

function WrittenBlock({ block, path, name, isSelected, isWrong, point, onSelect, onChange }: WrittenBlockProps) {
  const { t } = useTranslation('mail-template')
  const { addBlock } = useEditorTools()
  const isLine = block.kind === 'heading'
  return (
    <div className={isLine ? classes.heading : undefined}>
      <WrittenText
        value={block.text}
        isLine={isLine}
        isOpen={isSelected}
        label={name}
        path={`${path}.text`}
        point={point}
        isWrong={isWrong}
        onSelect={(at) => onSelect(block.id, at)}
        onChange={(text) => onChange({ ...block, text } as MailBlock)}
        {...(isLine ? {} : { onBlock: (what) => addBlock(what, block.id) })}
      >
        {block.text.length === 0 ? (
          <span className={classes.pale}>{t('writeHere')}</span>
        ) : isLine ? (
          <StaticLine line={block.text} />
        ) : (
          <StaticText text={block.text} />
        )}
      </WrittenText>
    </div>
  )
}
