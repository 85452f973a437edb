"""Sentences about problems for players, by code: the character or field, what is wrong, and what to do.

The facts of a problem fill the placeholders of its sentence. `{Name}` is the fact `name` with a capital letter,
`{spaces:space}` a count with its noun. `{expected}` and `{got}` are fields of the problem. The command line prints
`Problem.message` instead.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from string import Formatter
from typing import Any, Final

from scratch_core.errors import Location, Problem

_ACTIONS: Final[Mapping[str, str]] = {
    "ability.fighting-twice": "Both attacks must use fighting.",
    "ability.knockout-alone": "Knockout can't be combined with another ability. Choose one of them.",
    "ability.none-added": "This roll needs {abilities}. Add it.",
    "ability.not-for-this": "{Ability} can't be added to this action ({action}). Choose {allowed}.",
    "ability.not-had": "{actor} doesn't have {ability}. Choose another ability.",
    "ability.not-here": "{Ability} doesn't work here. It needs {terrain}.",
    "ability.one-a-roll": "Only one ability can be added to a roll. Choose one.",
    "ability.required": "Requires {abilities}, which {name} doesn't have.",
    "ability.twice": "An ability can be added only once. Choose different ones.",
    "actor.delayed": "{actor} is delayed ({causes}) and can act again after {until}.",
    "actor.escaped": "{actor} has escaped and is out of the fight. Choose another character.",
    "actor.incapacitated": "{actor} is incapacitated. Someone must revive them before they can act.",
    "actor.left": "{actor} has left the fight. Choose another character.",
    "actor.no-toughness": "{actor} has no toughness, so they can't act in a fight. Add toughness to their stat block.",
    "actor.panicked": "{actor} is panicked. They can only evade or escape.",
    "blast.no-map": "This fight has no map. Choose targets instead of a space.",
    "blast.no-space": "A blast on a map hits a space. Choose a space instead of targets.",
    "blast.off-map": "{space} isn't on the map. Choose another space.",
    "blast.solid": "{space} is blocked ({terrain}). Choose a space without a wall or obstacle.",
    "counter-hold.no-hold": "{target} hasn't held {actor} since {actor}'s last turn. Choose someone who has.",
    "counter-hold.not-delayed": "{actor} isn't delayed. Use an ordinary hold instead.",
    "counter-hold.not-healthy": "{actor} is {health}. Only a healthy character can use a counter-hold.",
    "cover.already": "{actor} is already in cover. Choose another action.",
    "cover.leave-first": "{actor} can't do this from cover. Leave cover first; it's free.",
    "cover.not-in-cover": "{actor} isn't in cover.",
    "cover.nothing-here": "There's nothing to hide behind here.",
    "cover.too-late": "{actor} has already done something this turn. Take cover before any other action.",
    "craft.bonuses-used": "{actor} has {level:bonus} in use, the most for their craftsmanship. Remove one first.",
    "craft.has-bonus": "{target}'s {ability} already has a temporary bonus. Choose another ability.",
    "craft.hurry-failed": "{actor} has already failed this in a hurry. Try again when there's time.",
    "craft.in-fight": "Crafted bonuses can't change during a fight. Change them before or after it.",
    "craft.no-bonus": "{target}'s {ability} doesn't have a bonus from {actor}. Choose an ability that does.",
    "craft.self": "{actor} can't improve their own abilities. Choose a companion.",
    "double-attack.no-first": "A second attack follows right after the first. Make the first attack first.",
    "double-attack.not-healthy": "{actor} is {health}. Only a healthy character can attack twice. Attack once.",
    "engage.no-target": "No one is close enough for {actor} to attack. Engage when an enemy is in reach.",
    "engage.too-late": "{actor} can no longer make a close attack this turn. Engage before you attack.",
    "escape.interrupted": "{actor} has just been interrupted, so they can't escape now. Try again on a later turn.",
    "escape.no-evade": "{actor} can escape only on the turn after an evade.",
    "evade.one-ability": "An evade uses one movement ability. Choose one.",
    "exit.escape-only": "{actor} is off the map. They can only escape.",
    "exit.no-escape-now": "{actor} can't escape this turn, so they can't leave the map. Stay on it.",
    "exit.not-there": "{actor} isn't at an exit. Move to one before escaping.",
    "fight.not-running": "There's no fight yet, so there are no turns. Start a fight first.",
    "heal.minion": "{target} is a minion. Minions can't be healed during a fight. Choose another character.",
    "heal.not-injured": "{target} is {health}. Only an injured character can be healed.",
    "heal.self": "{actor} can't {action} themselves. Choose another character.",
    "interrupt.ally": "{target} is on the same side. Choose an opponent.",
    "interrupt.delayed": "{actor} is delayed, so they can't interrupt. Continue without them.",
    "interrupt.in-cover": "{actor} can't interrupt from cover. Leave cover first; it's free.",
    "interrupt.injured": "{actor} is injured. Only a healthy character can interrupt. Continue without them.",
    "interrupt.moment": "{target} can't be interrupted there. Choose a moment after {moments} spaces.",
    "interrupt.none-left": "There's no moment left to interrupt {target}. Continue with the action.",
    "interrupt.not-exposed": "{target} is doing nothing that can be interrupted. Continue without an interrupt.",
    "interrupt.nothing-waits": "{actor} has no action that waits for interrupts. Choose an action first.",
    "interrupt.off-map": "{target} is off the map, where no one can interrupt them. Continue with the action.",
    "interrupt.order": (
        "{actor} can't interrupt now: {other}, later in the turn order, has already tried. Continue without {actor}."
    ),
    "interrupt.panicked": "{actor} is panicked, so they can't interrupt. Continue without them.",
    "interrupt.too-far": (
        "{target} is {spaces:space} away from {actor} then. Choose a moment when they're next to each other."
    ),
    "interrupt.tried": "{actor} has already tried to interrupt {target} this turn. Continue with the action.",
    "interrupt.waits": "{target}'s action ({action}) can be interrupted now. Interrupt it, or continue.",
    "map.none": "This fight has no map, so there are no spaces. Remove the space.",
    "move.between-attacks": "A move can't come between two attacks. Move before or after both.",
    "move.held": "{actor} is held, so they can't move. Choose an action without a move.",
    "move.used": "{actor} has already moved this turn. Use another action, or end the turn.",
    "path.after-exit": "A move off the map ends there. Remove the spaces after it.",
    "path.ally-at-end": "An ally is at {space}. You can move through that space but not stop there.",
    "path.corner": "There's no room to squeeze past the corner to {space}. Move around it.",
    "path.deep-water": "{space} is deep water, which needs swimming. Move around it.",
    "path.empty": "Choose at least one space to move to.",
    "path.enemy": "An enemy is at {space}. Move around them.",
    "path.enemy-stops": (
        "{space} is next to an enemy, so the move must stop there. Choose a path that ends there or avoids it."
    ),
    "path.not-next": "{space} isn't next to {before}. Choose spaces next to each other.",
    "path.off-map": "{space} is off the map, which characters may leave only to escape. Choose a space on the map.",
    "path.solid": "{space} is blocked ({terrain}). Move around it.",
    "path.too-long": "This path costs more than {most:space} of movement. Choose a shorter one.",
    "reposition.blocked": "{target} can't be moved to {space}. Choose an open space.",
    "reposition.corner": "There's no room to swap places with {target} past the corner. Choose a free space instead.",
    "reposition.deep-water": "{actor} can't swim, so they can't swap places into deep water. Choose another space.",
    "reposition.no-hold": "{actor} can move a target only right after holding them.",
    "reposition.not-held": "{actor} can move only {target}, the target of their hold. Choose {target}.",
    "reposition.not-next": "{space} isn't a space next to {target}. Choose one.",
    "reposition.space-or-swap": "Choose a space for {target}, or swap places with them.",
    "reposition.taken": "{space} is taken. Choose a free space.",
    "revive.no-toughness": "{target} doesn't have toughness, so they can't be revived. Choose another character.",
    "revive.not-incapacitated": "{target} isn't incapacitated. Only an incapacitated character can be revived.",
    "sight.blocked": "{actor} can't see {target}: the line of sight is blocked at {blocks}. Choose another target.",
    "space.none": "{actor} has no space within reach for this. Choose another action.",
    "target.ally": "{target} is on the same side. Choose an enemy.",
    "target.away": "{target} {departure_verb}. Choose another target.",
    "target.count": "{count:target} chosen. Choose {allowed}.",
    "target.dived": "{target} is under water. Only a swimmer's close attack reaches them. Choose another target.",
    "target.in-deep-water": "{target} is under water, and {actor} can't swim there. Choose another target.",
    "target.in-the-air": "{target} is in the air, where {actor} can't fly. Use a long-range attack.",
    "target.none": "There's no one to target.",
    "target.self": "{actor} can't target themselves. Choose another character.",
    "target.too-far": "{target} is {spaces:space} away. The target must be next to {actor}.",
    "target.twice": "A target was chosen twice. Choose each target once.",
    "throw.nothing-here": "There's nothing to throw here.",
    "turn.bonus-used": "{actor} has already used their bonus action ({done}). Use another kind, or end the turn.",
    "turn.member-acted": "{actor} has already had their turn in this round. Choose another character.",
    "turn.must-evade": "{actor} is panicked. They must evade or escape before the turn ends.",
    "turn.not-theirs": "It's {following}'s turn, not {actor}'s.",
    "turn.once-against-target": "{actor} has already tried this ({action}) on {target}. Choose another target.",
    "turn.once-used": "{actor} has already tried this ({action}). It's allowed once in a fight. Choose another action.",
    "turn.regular-used": "{actor} has already used their regular action ({done}). Use a bonus action, or end the turn.",
    "way.ally": "You can move through {target}'s space but not stop there.",
    "way.deep-water": "{actor} needs swimming to enter deep water.",
    "way.enemies": "Enemies block the path, or the move would have to stop next to one.",
    "way.enemy": "{target}, an enemy, is in this space.",
    "way.solid": "This space is blocked ({terrain}).",
    "way.too-far": "{actor} can't reach this space in one move.",
}
"""Illegal actions by the basic rules or on a map."""

_TURN_SYSTEMS: Final[Mapping[str, str]] = {
    "action.unknown": "This turn system has no such action. Choose one of the buttons.",
    "actor.out": "{actor} is out of the fight. Choose another character.",
    "ambush.once": "An ambush happens once, before the fight. It can't be added now.",
    "ambush.stalkers": "Choose one stalker, or two on different sides.",
    "choice.made": "{following} has already been chosen to go next. Start their turn.",
    "choice.no-turn": "No one has had a turn yet. Start the first turn.",
    "choice.seized": "{following} has seized the next turn, so there's no choice. Start their turn.",
    "choice.self": "{name} can't go twice in a row. Choose someone else.",
    "claim.answered": "{actor} has already decided whether to seize this turn. Continue with the turn.",
    "claim.no-loss": "{actor} can seize the turn only after losing hit points in it.",
    "combo.count": "{actor}'s combos have 1 to {most:action}. Change the number of actions.",
    "combo.not-chosen": "Only a combo has {count:action}. Choose a combo, or clear the number.",
    "combo.not-healthy": "{actor} is injured. Choose one action instead of a combo.",
    "combo.weapons": "{actor} has {weapons:weapon}. Enter how many of them the combo uses.",
    "counter.no-attack": "There's no attack to counter now. Counterattack when someone attacks.",
    "counter.not-held-back": "Preparing a counterattack takes the whole turn. Clear the move and the target.",
    "counter.rethink": "{interrupted} was interrupted and must choose again first.",
    "counter.waits": "{asked} must first counterattack or let the attack pass.",
    "extra-action.none": "{actor} has no extra action left. Only a roll of 20 for the turn order gives one.",
    "extra-action.not-now": "{actor} can use an extra action only on their own turn.",
    "fighter.unknown": "This step names a character who isn't in the fight. Choose one who is.",
    "loss.no-turn": "No turn has begun, so no hit points can be lost. Start a turn first.",
    "loss.points": "{target} has {most:hit point} left ({pools}). Enter 1 or more, up to that number.",
    "move.after-interrupt": "{actor} has already moved. Clear the move.",
    "move.not-chosen": "Spaces are entered, but no move is chosen. Choose the move, or clear the spaces.",
    "phase.another": "The next step is {acts}.",
    "ready.count": "{actor} must ready exactly {points:hit point}. Change the numbers.",
    "ready.pools": "Ready points come out of “defence” or “other”. Choose one of these pools.",
    "ready.too-many": "{actor} has {defence:hit point} in defence and {other} in other. Ready no more than that.",
    "spend.destination": "Choose where the hit points go: {choices}.",
    "spend.points": "{actor} has {ready:hit point} ready. Spend 1 or more, up to that number.",
    "spend.use": "Choose what the hit points are for: {choices}.",
    "start.surprise": "{surpriser} has surprise, so no one can start evading or ready. Begin the first turn.",
    "start.too-late": ("{actor} can start evading or ready hit points only once, before their first turn."),
    "stun.none": "Enter at least 1 stun.",
    "target.not-in-fight": "Choose a character who is still in the fight.",
    "turn.another-chosen": "{following} has been chosen to go next. Start their turn.",
    "turn.delay-place": "{actor}'s turn can only come later in this round. Choose one of these places: {places}.",
    "turn.had": "{name} has already had a turn this round. Choose someone else.",
    "turn.highest-first": "{following} goes first, with the highest roll. Start with them.",
    "turn.not-chosen": "{chooser} chooses who goes next. Choose for them first.",
    "turn.seized": "{following} has seized this turn. Start their turn.",
    "turn.sits-out": "{name} rolled a 1 and sits out the first round. Choose someone else.",
    "turn.skips-owed": "{actor} must skip this turn, because they acted in an earlier one. Select “Skip turn”.",
}
"""Illegal actions in the other turn systems."""

_GAME_MASTER: Final[Mapping[str, str]] = {
    "roll.change-none": "This step has no die roll to change. Choose another one in the log.",
    "roll.dropped": "No longer possible after this change, and left out: {steps}. Restore brings the old version back.",
    "gm.delete-join": "This step can't be deleted: the character who joins acts later. Delete their actions first.",
    "gm.delete-needed": "This step can't be deleted: {steps} would not be allowed without it. Delete those first.",
    "gm.delete-none": "This step can't be deleted. Choose a step after the beginning of the fight.",
    "gm.full": "A fight has at most {most:character}. Start a new fight for more.",
    "gm.hit-points": "{name} can't have that many hit points. Enter a number from 0 to {most}.",
    "gm.id-taken": "A character called {name} is already in this fight. Choose another name.",
    "gm.no-cover": "There's no cover in {name}'s space. Move them to a space with cover first.",
    "gm.no-space": "No one can stand at {space}. Choose a free space on the map.",
    "gm.not-in-fight": "{name} is out of the fight. Bring them back first.",
    "gm.not-joined": "A character in this step hasn't joined the fight yet. Add them first.",
    "gm.order": "Each character must be in the turn order exactly once. Add those who are missing, and remove repeats.",
    "gm.space-taken": "{name} is in that space. Choose a free one.",
    "gm.still-in-fight": "{name} is still in the fight, so they can't come back. Choose someone who has left it.",
    "gm.waits": "An action is waiting for an answer. Answer the question first.",
}
"""Illegal changes by the game master."""

_CHARACTER: Final[Mapping[str, str]] = {
    "ability.range": "{Got} isn't possible here. Write {expected}.",
    "ability.unknown": "No ability is called {got}. Write {expected}.",
    "cast.unknown": "No one in the cast is called {got}. Choose someone from the list.",
    "character.ability": "No ability is called {got}. Write one of the abilities, such as shooting{line}.",
    "character.alias": "{Written} is now called {ability}, and counts as that{line}.",
    "character.beside": "There's no character in {got}. Paste a stat block, or a link to a character.",
    "character.bonus": "{Got} has a temporary bonus, but no level. Remove the bonus, or add a level.",
    "character.empty": "There are no abilities yet. Begin with toughness{line}.",
    "character.inert": "{Ability} costs points, but no rule uses it{line}. Remove it to get the points back.",
    "character.json": "There's a mistake in this character's file at {place}. Correct it (see Details).",
    "character.level": "{Got} isn't a level. Write a whole number, such as 2.",
    "character.limit": "{Field}: enter a whole number, {lowest} or more.",
    "character.more": "{Count:other problem} not shown. Correct the problems shown first.",
    "character.name": "This name is too long ({got}). Write {expected}.",
    "character.no-toughness": "Without toughness, a character can't act in a fight{line}. Add toughness.",
    "character.twice": "{Ability} appears twice. Remove one{line}.",
    "character.unknown": "This character isn't in the cast, and isn't saved here. Choose another.",
    "character.weaker": "{Ability}{on_line} lowers strength from {untrained} to {strength}. Remove it to undo that.",
    "command.advice": "{leader}'s command isn't enough for these minions ({got}). Raise it, or remove minions.",
    "command.chain": "A minion can't lead others, but one here has {got}. Remove the minion's command.",
    "command.cp": "The minions cost {cost:,} points, but command {command:,} gives {command:,}. Lower their levels.",
    "command.elsewhere": "{Leader}, the leader of these minions, isn't here. Add their stat block.",
    "command.leader": "No character here is called “{leader}”. Change the minion's leader, or add that character.",
    "command.lines": "There are too many lines of minions ({got}). Write {expected}.",
    "command.many": "A leader has one or two minions, not {count:,}. Remove the others.",
    "command.none": "Minions need a leader with command. Add command to this character, or remove the minions.",
    "create.cp": "{Over:point} too many: {spent:,} spent of {most:,}{line}.",
    "create.max-level": "{Got} is above the maximum level, {highest:,}.",
    "create.typical": "This character has {abilities:ability}; most have 3 to 6{line}.",
    "create.unspent": "{Left:point} left to spend{line}.",
    "damage.negative": "Damage can't be less than 0. Enter 0 or more.",
    "fight.meant": "{Got} isn't known here. Did you mean {expected}?",
    "hp.max.negative": "The maximum hit points can't be less than 0. Enter 0 or more.",
    "hp.negative": "Hit points can't be less than 0. Enter 0 or more.",
    "hp.range": "{Got} isn't possible. Enter {expected}.",
    "carry.strength": "Strength can't be less than 0. Enter 0 or more.",
    "play.condition": "The condition is empty or too long. Write {expected}.",
    "play.difficulty": "{Got} isn't a difficulty. Enter a whole number, such as 12.",
    "roll.face": "{Got} isn't a roll of a d20. Enter a number from 1 to 20.",
    "sheet.abilities": "This stat block has no abilities. Write lines such as “2 shooting” below the name.",
    "sheet.doubted": "{Got}: {expected}. Correct the line if that's wrong.",
    "sheet.left-out": "{Got}. Only names and levels count here, so this has no effect.",
    "sheet.name-doubted": "{Got}: is this the name of one character? Correct it if not.",
    "sheet.not-one": "There are {got} stat blocks here. Remove all but one.",
    "sheet.empty": "There's no stat block here. Write a name, then lines such as “2 shooting”.",
    "sheet.figure": "Can't read the figure {got}. Write each one once, such as “11 agility”.",
    "sheet.head": "Can't read the first line {got}. Write it like “Name (figures): description”.",
    "sheet.ignored": "{Got}. Write abilities such as “2 shooting: note”.",
    "sheet.limit.characters": "This text is too long ({got} characters). It can be {expected}.",
    "sheet.limit.lines": "This text has too many lines ({got}). It can be {expected}.",
    "sheet.line": "Can't read {got}. Write a line such as “2 shooting: note”.",
    "sheet.several": (
        "This page shows one character and hides {count:stat block}. Remove the stat blocks you don't need."
    ),
    "show.part": "No part of the page is called {got}. Remove it from the link.",
    "start.levels": "{Got}. {expected}.",
    "start.unknown": "There's no character called {got} to start from. Choose another.",
}
"""Problems of a character."""

_SET_UP: Final[Mapping[str, str]] = {
    "board.act": "The map has no such button. Reload the page.",
    "board.choice": "{Got} isn't one of the map's options. Choose one from the list.",
    "board.layer": "The map can't show {got}. Reload the page, and use its buttons.",
    "board.map.first": "The text of the map has a mistake. Correct the map first.",
    "board.map.letter": "Can't read {got}. Use the letters of a map: {expected}.",
    "board.map.row": "Row {row} is shorter than others. Write {columns:letter} in every row.",
    "board.map.size": "This map is too large ({got}). It can have {expected}.",
    "board.moved": "{got}. {expected}.",
    "board.selected": "There's no token called {got} on this map. Select another one.",
    "board.space": "{Got} isn't a space on this map. Write {expected}.",
    "board.space.one": "Only one space can be inspected. Enter one space, such as 3,2.",
    "board.tokens": "Can't read {got}. Write name@column,row,side, such as kim@3,2,hunters.",
    "board.tokens.limit": "There's no room for more tokens. A map can have {expected}. Remove a token first.",
    "board.tokens.place": "The token {got} is off the map. Use {expected}.",
    "board.tokens.shared": "{one} and {other} are in the same space. Move one of them.",
    "board.tokens.solid": "{name} can't stand in a blocked space ({terrain}). Move the token.",
    "board.tokens.twice": "Two tokens are called {got}. Rename one of them.",
    "board.value": "There's a mistake in the map. Correct it (see Details).",
    "button.unknown": "This button isn't in this fight. Reload the page.",
    "button.unread": "This button's action can't be read. Reload the page.",
    "fight.beginning": "Can't use {got} in “{control}”. Write {shape}.",
    "fight.dice": "Some rolls are missing. Enter them, or roll the dice.",
    "fight.faces": "This action needs {needed:roll}. You entered {given}. Enter {needed:roll}.",
    "fight.faces.none": "This action needs no roll. Clear this field, then select the action again.",
    "fight.more": "{Count:other problem} in this fight not shown. Correct the problems shown first.",
    "fight.no-names": "No one is in this fight yet. Write a name on each line.",
    "fight.nobody": "No one is in this fight yet. Add characters, or paste their stat blocks.",
    "fight.note": "The note is too long ({got} characters). Shorten it to {most:,} characters or fewer.",
    "fight.redo": "The steps to redo can't be read, so they were removed. Play them again if you need them.",
    "fight.rolls-missing": "The rolls that decide who goes first are missing. Enter them, or roll.",
    "fight.same-name": "Two characters are called {name}. Give them different names.",
    "fight.side-below": "{got}. Write {expected}.",
    "fight.sides": "Everyone is on the same side. Move at least one character to another side.",
    "fight.steps": "This fight is full: a file holds {expected}. Continue in a new fight.",
    "fight.unused-tokens": "No character yet for {got}. Add characters to their sides, or remove these tokens.",
    "fight.text-too-long": "The list of characters is too long ({got} characters). Write {expected}.",
    "fight.too-many": "There are too many characters ({got}). A fight has at most {most}. Remove some.",
    "fight.value": "Enter {expected}.",
    "fight.waits": "An action can be interrupted now. Interrupt it, or continue.",
    "initiative.roll": "{Got} isn't a roll of a d20. Write a number from 1 to 20 after the name.",
    "initiative.system": "There's no turn system called {got}. Choose one from the list.",
    "initiative.tie": "These rolls never break the tie. Enter rolls that differ.",
    "initiative.too-many": "There are too many rolls ({got}). Enter {expected}.",
    "line.missing": "{name} doesn't have a {word}. Write {word} and a number after the name.",
    "line.name": "The name is missing or too long in {got}. Write a line such as “{example}”.",
    "line.no-name": "{Got} has no name above it. Write the character's name on a line before it.",
    "line.set-up": "Can't read {got}. After “{word}:”, write {value}.",
    "line.value": "Can't read {got}. After “{word}”, write {value}.",
    "line.word": "Can't read {got}. Use one of these words and a value: {known}.",
    "map.full": "The map has no room for more tokens. Remove some, or use a larger map.",
    "map.too-small": "The map is too small for {count:character}. Use a larger map.",
    "name.length": "Write a name, at most {most:letter} long.",
    "names.ambiguous": "{got}. {expected}.",
    "names.no-roll": "{got}. {expected}.",
    "names.none-yet": "{got}. {expected}.",
    "names.twice": "{got}. {expected}.",
    "names.unknown": "{got}. {expected}.",
    "newcomer.none": "No one has been chosen to join. Choose someone, or paste {expected}.",
    "number.range": "{Field}: enter a whole number from {least} to {most:,}.",
    "odds.alone": "{Name} fights alone here. Their minions are left out.",
    "odds.begins": "{Got} can't go first. Choose who goes first from the list.",
    "odds.escape": "An escape can't count as {got}. Choose a draw or a loss.",
    "odds.here": "{Got} isn't a kind of ground. Write some of these words: {words}.",
    "odds.kept": "The saved character {got} can't be read. Choose another one.",
    "odds.minion": "Minions can't fight alone here, and this is {got}. Choose another character.",
    "odds.more": "{Count:other problem} with these two not shown. Correct the problems shown first.",
    "odds.one": "Each field takes one stat block, and this one has {got}. Remove the others.",
    "odds.rival": "{Got} can't be chosen as an opponent. Choose someone from the cast who fights alone.",
    "odds.two": "{Got} characters are selected. Select one or two.",
    "query.limit": "The text is too long, and its end is cut off. Shorten it to {limit:,} characters.",
    "query.packed": "This link was cut off or changed. Open the whole link.",
    "rulings.name": "There's no ruling called {got}. Remove it, or write a name from the rulings page.",
    "rulings.value": "{Got} isn't an option of this house rule. Choose “{options}”.",
    "stroke.blocked": "{space} is blocked ({terrain}). Choose a space where someone can stand.",
    "stroke.taken": "{name} is already in this space. Choose a free one.",
    "stroke.too-long": "That covers too many spaces at once. Draw a shorter line.",
    "stroke.tool": "There's no map tool called {got}. Choose one of the buttons.",
    "stroke.unread": "Can't read {got}. Write a tool and spaces, such as #: 3,4 3,5.",
    "token.blocked": "{name} can't stand at {space}: it's blocked ({terrain}). Choose another space.",
    "token.fixed": "{name}'s stat block sets their space: {space}. Change its “at:” line.",
    "token.off-map": "{name}'s space is off the map. Choose one from 0,0 to {last}.",
    "token.taken": "{space} is taken, so {name} can't start there. Choose another space.",
}
"""Problems of a form that sets up a fight, a map, a turn order or a duel."""

_FILES: Final[Mapping[str, str]] = {
    "act.do": "A step has an action that doesn't exist ({got}). Choose another action.",
    "changes.no-step": "There's no step {got} to change. Choose {expected}.",
    "changes.numbers": "Can't read {got}. Write the rolls as numbers, such as 4, 17.",
    "changes.too-long": "The changes are too long ({got} characters). Write {expected}.",
    "changes.too-many": "There are too many changes ({got}). Make {expected}.",
    "changes.unread": "Can't read {got}. Write changes like 4.faces = 20.",
    "changes.value": "Can't read {got} here. Write {expected}.",
    "replay.more": "{Count:other problem} in this file not shown. Correct the problems shown first.",
    "replay.scenario": "{Got} isn't a saved fight. Paste a fight's file, or choose an example.",
    "replay.step": "There's no step {got}. Choose one up to {last}.",
    "replay.way": "The example can't be played that way ({got}). Choose a way from the list.",
    "scenario.depth": "The file can't be read: its lists are nested too deeply in {place}. Make them simpler.",
    "scenario.encoding": "The file can't be read: it isn't a text file. Choose another file.",
    "scenario.faces": "The number of rolls doesn't fit the action in {place}. Correct the rolls there.",
    "scenario.size": "The file is too large to be a fight. Choose another file.",
    "scenario.syntax": "This isn't a fight's file, or it's damaged. Choose another file, or correct it (see Details).",
    "scenario.value": "There's a mistake in {place}. Correct it (see Details).",
    "scenario.way": "The worked combat can't be played that way. Choose a way from the list.",
    "state.id": "A step names a character who isn't in this fight ({got}). Correct the name, or add the character.",
}
"""Problems of a fight's file, or of changes to it."""

_DICE: Final[Mapping[str, str]] = {
    "dice.after-difficulty": "Nothing can follow the difficulty. Remove {got}.",
    "dice.bracket-open": "A bracket isn't closed. Write ) before {got}.",
    "dice.count-missing": "A number is missing before {got}. Write how many dice.",
    "dice.counting": "This tool adds dice and doesn't count successes. For one check, write d10 vs 7.",
    "dice.difficulty-missing": "What is the difficulty? Write a number after vs, such as d20 vs 13.",
    "dice.difficulty-none": "What is the difficulty? Enter a number.",
    "dice.difficulty-twice": "The roll says difficulty {named}. Enter the same number, or clear the field.",
    "dice.empty": "Write a roll, such as d20+3.",
    "dice.entry": "Can't use {got}. Enter {expected}.",
    "dice.entry-missing": "A number is missing. Enter {expected}.",
    "dice.explode.none": "{Got} isn't a possible number of extra dice. Write {expected}.",
    "dice.explode.one-side": "A die with one side can't explode. Write two sides or more before !.",
    "dice.face": "{Got} isn't a roll of a d{sides}. Enter a number from 1 to {sides}.",
    "dice.faces.few": "One roll is missing. Enter the roll of die {place}, a d{sides}.",
    "dice.faces.limit": "That's too many rolls ({got}). Enter {expected}.",
    "dice.faces.many": "This takes {needed:roll}. You entered {given}. Remove the rest.",
    "dice.faces.unread": "Can't read {got}. Enter the rolls as whole numbers, such as 4, 17.",
    "dice.keep": "Can't keep or drop so many dice ({got}). With {kind}, write {allowed}.",
    "dice.label-empty": "The label is empty. Write a word in its brackets, such as d6[fire].",
    "dice.limit.depth": "There are too many extra dice ({got}). Write {expected}.",
    "dice.limit.dice": "That's too many dice ({got}). Roll {expected}.",
    "dice.limit.digits": "This roll has too many outcomes to calculate ({got}). Use fewer dice.",
    "dice.limit.nesting": "Too many brackets are inside each other. Write {expected}.",
    "dice.limit.number": "The number {got} is too large. Write {expected}.",
    "dice.limit.outcomes": "This roll has too many different totals ({got}). Use fewer or smaller dice.",
    "dice.limit.rerolls": "Too many dice were rerolled. Roll again, or remove the rerolls.",
    "dice.limit.sides": "The die has too many sides ({got}). Write {expected}.",
    "dice.limit.text": "This roll is too long ({got}). Write {expected}.",
    "dice.limit.total": "The total would be too large ({got}). Use smaller numbers.",
    "dice.limit.work": "The chances for this roll take too long to calculate. Use fewer dice.",
    "dice.no-dice": "{Got} isn't a die. Write at least one die with at least one side.",
    "dice.notation": "Can't read {got}. Write dice such as d20+3 or 4d6kh3.",
    "dice.part-missing": "Something is missing before {got}. Write dice such as 2d6, or a number.",
    "dice.reroll": "This rerolls too many of a d{sides}'s numbers. With rr, leave at least half of them.",
    "dice.reroll-missing": "Which number is rerolled? Write it after r, such as r1.",
    "dice.sides-missing": "The number of sides is missing. Write it after d, such as d20.",
    "dice.unjoined": "Can't read {got}. Join the parts of a roll with + or -.",
}
"""Problems of dice notation and of rolls."""

_PROGRAMS: Final[Mapping[str, str]] = {
    "catalogue.rule": "There's no rule called {got}. Choose one from the rule index.",
    "catalogue.ruling": "There's no ruling called {got}. Choose one from the rulings page.",
    "cli.encoding": "{Place} isn't a text file in UTF-8. Save it as UTF-8.",
    "cli.file": "Can't read {place}: {got}. Check the file's name.",
    "cli.ruling": "Can't read the ruling {got}. Write NAME=VALUE.",
    "content.key": "A table of the site's content has an unknown key: {got}. Remove it.",
    "content.key-missing": "A table of the site's content lacks {expected}. Add it.",
    "content.syntax": "One of the site's content files can't be read: {got}. Correct the file.",
    "content.value": "A value in the site's content is wrong: {got}. It must be {expected}.",
    "odds.fights": "{Got} isn't a number of fights. Write at least 1.",
    "odds.groups": "Win chances work only for fights that use the basic rules and have no map. Choose another file.",
    "odds.over": "This fight is over, so it has no win chances. Go back to an earlier step.",
    "odds.policy": "The policy chose an action that isn't allowed: {got} Correct the policy.",
    "odds.same": "Both characters have the same {what}, {got}. Give them different ones.",
    "odds.second": "Name two characters, or write --groups and a file.",
    "odds.seconds": "{Got} isn't a time. Write a number of seconds above 0.",
    "odds.state": (
        "This position can't come up in the fight, so there are no win chances for it. Go back to an earlier step."
    ),
    "odds.table": "The table of win chances can't be read ({got}). Build the site again.",
}
"""Problems that only the command line and other programs can cause."""

SENTENCES: Final[Mapping[str, str]] = {
    **_ACTIONS,
    **_TURN_SYSTEMS,
    **_GAME_MASTER,
    **_CHARACTER,
    **_SET_UP,
    **_FILES,
    **_DICE,
    **_PROGRAMS,
}
"""The sentence of each problem code."""

_PLACES: Final[Mapping[str | int, str]] = {
    "board": "the map",
    "rulings": "the rulings",
    "initiative": "the rolls for initiative",
    "characters": "the list of characters",
    "steps": "the list of steps",
    "expect": "what the file expects at the end",
}
"""The words for the parts of a file, by their keys."""


def has_details(code: str) -> bool:
    """Return whether a page shows what was expected under *Details*.

    The sentences of these codes say at most where the mistake is.
    """
    return code.startswith("scenario.") or code in ("board.value", "character.json")


def format_problem_details(problem: Problem) -> str:
    """Format what was expected and got, for users who write files by hand.

    Returns "" if the sentence of the problem is enough.
    """
    return f"Expected {problem.expected}, got {problem.got}." if has_details(problem.code) else ""


def _format_place(location: Location) -> str:
    """Format a place in a file: the step, character, part or line."""
    part, index = (*location.path, "", "")[:2]
    if part in ("steps", "characters") and isinstance(index, int):
        return f"{'step' if part == 'steps' else 'character'} {index + 1}"
    return _PLACES.get(part) or (f"line {location.line}" if location.line else "this file")


class _SentenceFormatter(Formatter):
    """A formatter that adds capital letters and counts with nouns."""

    def get_value(self, key: int | str, args: Any, kwargs: Mapping[str, Any]) -> Any:
        """Return a fact, to be capitalized if the placeholder has a capital letter.

        Raises KeyError if there is no such fact.
        """
        name = str(key)
        if name in kwargs:
            return kwargs[name]
        return _CapitalizedFact(kwargs[name.lower()])

    def format_field(self, value: Any, format_spec: str) -> str:
        """Format a fact, or a count with its noun if the format is a word."""
        fact = value.fact if isinstance(value, _CapitalizedFact) else value
        text = _format_count(fact, format_spec) if format_spec.replace(" ", "").isalpha() else format(fact, format_spec)
        return text[:1].upper() + text[1:] if isinstance(value, _CapitalizedFact) else text


class _CapitalizedFact:
    """A fact to be formatted with a capital letter."""

    def __init__(self, fact: Any) -> None:
        self.fact = fact


_FIELD_LABELS: Final[Mapping[str, str]] = {
    "add_count": "number of characters",
    "cp": "character points",
    "gm_count": "number of characters",
    "max_level": "maximum level",
}
"""The words for the controls whose names are no words for players."""

_FORMATTER: Final = _SentenceFormatter()
_QUOTED_PATTERN: Final = re.compile(r"^(['\"])(.*?)\1")


def _format_count(count: int, noun: str) -> str:
    if count == 1:
        return f"one {noun}"
    several = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}es" if noun.endswith("s") else f"{noun}s"
    return f"{count:,} {several}"


def format_problem_sentence(problem: Problem) -> str:
    """Format a problem as a sentence for players.

    Raises KeyError if its code has no sentence, or a fact is missing.
    """
    line = problem.facts.get("line", "")
    words = {
        "expected": problem.expected,
        "got": _QUOTED_PATTERN.sub(r"“\2”", problem.got),
        "place": _format_place(problem.location),
        "field": _FIELD_LABELS.get(problem.where, problem.where.removeprefix("add_")),
        **problem.facts,
        "line": f" ({line})" if line else "",
        "on_line": f" on {line}" if line else "",
    }
    if has_details(problem.code):
        words["place"] = _format_place(Location.from_key_or_location(problem.facts.get("place", problem.where)))
    return _FORMATTER.vformat(SENTENCES[problem.code], (), words)
