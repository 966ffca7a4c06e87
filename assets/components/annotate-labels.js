// Help with what is typed into the fields of a word: values that are offered under them, and what is asked before one is
// taken. What is not taken yet is a draft: it stays in its field, whatever else is done, until it is mended or taken back.

const NEAR = 2; // letters by which a feature may differ from the one that it may be meant for
const ENTRIES = [["gloss", "Gloss"], ["translit", "Transliteration"]]; // columns that are rows under the words

function draftKey(view, name, word) {
  return `${placeOf(view.data)}/${name}/${word}`;
}

// What was typed and refused stays in its field.
function keepTyped(view, step, problem) {
  const { column: name, word, value: text } = step;
  const key = `${step.corpus}/${step.sentence}/${step.layer}/${name}/${word}`;
  if (view.parts.fields.inputs[name]) view.drafts.set(key, { name, word, text, problem });
}

// ---- features -----------------------------------------------------------------------------------------------------

function nameOf(pair) {
  return pair.split("=")[0];
}

// A list of features as it is stored, without what may stand at its end while it is typed.
function cleanFeatures(text) {
  const trimmed = text.trim().replace(/\|+$/, "");
  return trimmed === "_" ? "" : trimmed;
}

// The same with a bar at its end, behind which another feature is typed.
function openFeats(text) {
  return text && `${text}|`;
}

function listedFeatures(view) {
  return (view.data.features[view.columns.upos[view.fieldWord]] || []).flat();
}

// How many letters differ between two words; two neighbours that changed places count once.
function editDistance(one, other) {
  const [a, b] = [[...one], [...other]];
  let [before, last] = [[], b.map((_, j) => j + 1)];
  last.unshift(0);
  a.forEach((letter, i) => {
    const row = [i + 1];
    b.forEach((letterThere, j) => {
      const swaps = i > 0 && j > 0 && letter === b[j - 1] && a[i - 1] === letterThere;
      const least = Math.min(last[j + 1] + 1, row[j] + 1, last[j] + (letter === letterThere ? 0 : 1));
      row.push(swaps ? Math.min(least, before[j - 1] + 1) : least);
    });
    [before, last] = [last, row];
  });
  return last[b.length];
}

// The listed feature that another is spelt most like, those of the same name first; "" where none is near.
function nearestFeature(pair, listed) {
  const ranked = listed.map((one, i) => {
    const distance = editDistance(one.toLowerCase(), pair.toLowerCase());
    return [distance, nameOf(one) === nameOf(pair) ? 0 : 1, i, one];
  }).filter(([distance, , , one]) => distance <= NEAR && one !== pair).sort((a, b) => a[1] - b[1] || a[0] - b[0] || a[2] - b[2]);
  return ranked.length ? ranked[0][3] : "";
}

// What is to be asked of a list of features before it is taken: nothing (null), how it is to be mended, or whether a
// feature that no list has is meant. ``lists`` are those of the word's tag, ``others`` of all tags; what
// somebody has kept ``isKept``.
function featureQuestion(lists, others, isKept, text) {
  const pairs = text ? text.split("|") : [];
  if (!pairs.every((pair) => /^[^=]*[^=\s][^=]*=.*\S/.test(pair))) {
    return { problem: `${text} is no list of features: write them as Case=Nom|Number=Sing` };
  }
  const listed = (lists || []).flat();
  const odd = listed.length ? pairs.find((pair) => !listed.includes(pair) && !isKept(pair)) : undefined;
  return odd === undefined ? null : { odd, meant: nearestFeature(odd, listed) || nearestFeature(odd, others) };
}

// ---- what is offered ----------------------------------------------------------------------------------------------

// [value, whether it stands in the field] of what is offered for a field with some text.
function offersFor(view, name, text) {
  const { data, columns } = view;
  const word = view.fieldWord;
  const values = data.offered[name]?.[word] || [];
  const isTyped = text.trim() && text !== columns[name][word];
  const matches = (value, part) => value.toLowerCase().startsWith(part.toLowerCase());
  if (name !== "feats") return values.filter((value) => !isTyped || matches(value, text.trim())).map((value) => [value, value === text]);
  const [own, more] = data.features[columns.upos[word]] || [[], []];
  const { chosen, part } = featureParts(text, [...own, ...more]);
  const lists = chosen.length || part ? [] : values.filter((value) => value.includes("|"));
  const isMeant = (pair) => !part || matches(pair, part) || matches(pair.slice(nameOf(pair).length + 1), part);
  const pairs = own.length && !part ? own : [...own, ...more];
  return [...lists, ...pairs.filter(isMeant)].map((value) => [value, chosen.includes(value)]);
}

// The features in a text that are whole, and the part of one that is being typed.
function featureParts(text, listed) {
  const parts = text.split("|").map((part) => part.trim()).filter((part) => part && part !== "_");
  const isOpen = parts.length && !text.trim().endsWith("|") && !listed.includes(parts[parts.length - 1]);
  return { chosen: isOpen ? parts.slice(0, -1) : parts, part: isOpen ? parts[parts.length - 1] : "" };
}

// A list of features with one more, in place of another value of it; without it if it was there.
function withFeature(text, value, listed) {
  const { chosen } = featureParts(text, listed);
  if (chosen.includes(value)) return chosen.filter((pair) => pair !== value).join("|");
  const others = chosen.filter((pair) => nameOf(pair) !== nameOf(value));
  return [...others, value].sort((a, b) => a.toLowerCase() < b.toLowerCase() ? -1 : 1).join("|");
}

function takeOffer(view, name, value) {
  const input = view.parts.fields.inputs[name];
  view.offer = -1;
  if (name === "feats") {
    input.value = openFeats(value.includes("|") ? value : withFeature(input.value, value, listedFeatures(view)));
    input.focus();
    return showHelp(view);
  }
  input.value = value;
  return finish(view, name);
}

// ---- the fields ---------------------------------------------------------------------------------------------------

function textIn(view, name) {
  const { value } = view.parts.fields.inputs[name];
  return name === "feats" ? cleanFeatures(value) : value.trim();
}

// Takes what stands in a field; false if it stays there to be mended, or something is asked.
function commit(view, name) {
  const word = view.fieldWord;
  const { value } = view.parts.fields.inputs[name];
  const text = textIn(view, name);
  const key = draftKey(view, name, word);
  if (text === view.began && !view.drafts.has(key)) return true; // nothing was typed, whatever the word has by now
  if (name === "feats" && text !== view.columns.feats[word]) {
    const tag = view.columns.upos[word];
    const { features } = view.data;
    const isKept = (pair) => view.kept.has(`${tag} ${pair}`);
    const question = featureQuestion(features[tag], Object.values(features).flat(2), isKept, text);
    if (question) {
      view.drafts.set(key, { name, word, text: value, ...question });
      showHelp(view);
      return false;
    }
  }
  view.drafts.delete(key);
  act(view, name, text, word);
  return true;
}

// Answers what is asked: ``meant`` takes the feature that is offered, else the one that was typed is kept.
function settle(view, draft, meant) {
  const input = view.parts.fields.inputs[draft.name];
  view.fieldWord = draft.word;
  input.value = cleanFeatures(draft.text);
  if (meant) input.value = input.value.split("|").map((pair) => (pair === draft.odd ? draft.meant : pair)).join("|");
  else view.kept.add(`${view.columns.upos[draft.word]} ${draft.odd}`);
  if (commit(view, draft.name)) moveTo(view, draft.word);
  else input.focus();
}

// After Enter in a field: a gloss leads to the next word's, everything else back to the tree.
function finish(view, name) {
  if (!commit(view, name)) return;
  const next = view.fieldWord + 1;
  if (ENTRIES.every(([entry]) => entry !== name) || next >= view.data.words.length) moveTo(view, view.fieldWord);
  else {
    view.current = next;
    refresh(view);
    openField(view, name);
  }
}

function openField(view, name) {
  if (view.inGraph) showGraph(view, true, false); // which has other fields
  const input = view.parts.fields.inputs[name];
  input.focus();
  Object.assign(view, { field: name, fieldWord: view.current, offer: -1 });
  const value = view.columns[name][view.current];
  input.value = draftOf(view, name)?.text ?? (name === "feats" ? openFeats(value) : value);
  if (name === "feats") input.setSelectionRange(input.value.length, input.value.length);
  else input.select();
  view.began = textIn(view, name);
  showHelp(view);
}

// After a key in a field: of the features that begin as typed, Enter takes the first.
function typed(view, name) {
  const { part } = featureParts(view.parts.fields.inputs[name].value, listedFeatures(view));
  view.offer = name === "feats" && part ? 0 : -1;
  showHelp(view);
}

function draftOf(view, name) {
  return view.drafts.get(draftKey(view, name, view.current));
}

// A draft of the sentence that is shown, if there is one.
function openDraft(view) {
  const place = `${placeOf(view.data)}/`;
  return [...view.drafts].find(([key]) => key.startsWith(place))?.[1];
}

function bindField(view, name, input) {
  input.spellcheck = false;
  input.dir = "auto";
  input.onfocus = () => {
    if (view.field !== name || view.fieldWord !== view.current) Object.assign(view, { field: name, fieldWord: view.current, offer: -1 });
    view.began = textIn(view, name);
    refresh(view);
  };
  input.onblur = () => {
    commit(view, name);
    view.field = null;
    refresh(view);
  };
  input.oninput = () => typed(view, name);
  input.onkeydown = (event) => {
    event.stopPropagation();
    if (event.isComposing) return; // Enter ends what an input method composes
    if (pressInField(view, name, event.key, event.shiftKey)) event.preventDefault();
  };
}

// Carries out a key in a field; false where it is only typed.
function pressInField(view, name, key, shift) {
  const input = view.parts.fields.inputs[name];
  const offers = offersFor(view, name, input.value);
  if (key === "ArrowDown" || key === "ArrowUp") {
    const count = offers.length + 1; // none is one of the places
    view.offer = ((view.offer + 1 + (key === "ArrowDown" ? 1 : count - 1)) % count) - 1;
    showHelp(view);
    return true;
  }
  if (key === "Escape") {
    view.drafts.delete(draftKey(view, name, view.fieldWord));
    input.value = view.columns[name][view.fieldWord];
    moveTo(view, view.fieldWord);
    return true;
  }
  if (key !== "Enter") return false;
  const draft = draftOf(view, name);
  if (view.offer >= 0 && offers.length && !shift) takeOffer(view, name, offers[view.offer][0]);
  else if (draft?.odd && draft.text === input.value) settle(view, draft, Boolean(draft.meant) && !shift);
  else finish(view, name);
  return true;
}

// ---- what stands under the fields ---------------------------------------------------------------------------------

function showHelp(view) {
  showOffers(view);
  showNote(view);
}

function showOffers(view) {
  const box = view.parts.offers;
  const offers = view.field ? offersFor(view, view.field, view.parts.fields.inputs[view.field].value) : [];
  const shown = JSON.stringify([view.field, view.offer, offers]);
  if (box.dataset.shown === shown) return; // a button that is pressed stays
  box.dataset.shown = shown;
  box.hidden = !offers.length;
  let group = null;
  const groups = [];
  offers.forEach(([value, isChosen], i) => {
    const name = view.field === "feats" && !value.includes("|") ? nameOf(value) : "";
    if (!group || group.dataset.name !== name) {
      group = htmlElement("span", "group", name ? `${name} ` : null);
      group.dataset.name = name;
      groups.push(group);
    }
    const button = htmlElement("button", i === view.offer ? "choice guess" : "choice", name ? value.slice(name.length + 1) : value);
    Object.assign(button, { type: "button", tabIndex: -1, title: value });
    button.setAttribute("aria-pressed", isChosen);
    button.onmousedown = (event) => event.preventDefault(); // the field keeps the focus
    button.onclick = () => takeOffer(view, view.field, value);
    group.append(button);
  });
  box.replaceChildren(...groups);
  const at = box.querySelector(".guess");
  at?.scrollIntoView({ block: "nearest" });
  if (at) announce(view, at.title);
}

function showNote(view) {
  const { note, fields } = view.parts;
  const names = Object.keys(fields.inputs);
  const draft = names.map((name) => draftOf(view, name)).find(Boolean);
  const isOpen = draft && (view.field !== draft.name || fields.inputs[draft.name].value === draft.text);
  for (const name of names) fields.inputs[name].setAttribute("aria-invalid", Boolean(isOpen) && name === draft.name);
  note.replaceChildren();
  if (!isOpen) return;
  if (draft.problem) {
    note.textContent = draft.problem;
    return;
  }
  const tag = view.columns.upos[draft.word];
  const value = draft.meant && nameOf(draft.meant) === nameOf(draft.odd) ? draft.meant.slice(nameOf(draft.meant).length + 1) : draft.meant;
  note.append(`${draft.meant ? `${draft.odd}: ${value}? ` : ""}No list has ${draft.odd} for ${tag || "this word"}. `);
  const answer = (text, meant) => {
    const button = htmlElement("button", "choice", text);
    button.type = "button";
    button.onmousedown = (event) => event.preventDefault();
    button.onclick = () => settle(view, draft, meant);
    note.append(button);
  };
  if (draft.meant) answer(`Enter: ${draft.meant}`, true);
  answer(`${draft.meant ? "Shift+Enter" : "Enter"}: keep ${draft.odd}`, false);
}

// ---- rows under the words -----------------------------------------------------------------------------------------

// What the keys do in a field.
function fieldText(view) {
  const title = FIELDS.find(([name]) => name === view.field)[1];
  const leads = ENTRIES.some(([name]) => name === view.field) ? "Enter: next word" : "Enter takes it";
  return `${title} of ${view.fieldWord} ${isolated(view.data.words[view.fieldWord])} · ↓ ↑ choose · ${leads} · Esc back`;
}

// Whether glosses and transliterations are shown: as chosen, else where the sentence has any.
function showsGlosses(view) {
  return view.options.glosses ?? ENTRIES.some(([name]) => view.columns[name]?.some(Boolean));
}

function glossLines(view) {
  const shown = ENTRIES.filter(([name]) => view.columns[name]?.some(Boolean));
  return showsGlosses(view) ? shown.map(([name]) => ({ name, values: view.columns[name] })) : [];
}

// Stands in place of the prompt until the next key.
function notice(view, text) {
  announce(view, text);
  view.notice = text;
  view.parts.prompt.textContent = text;
}

// ---- subtypes of relations ----------------------------------------------------------------------------------------

function baseOf(relation) {
  return relation.split(":")[0];
}

// What the keys stand for in the mode: [value, its key].
function choicesOf(view) {
  if (view.mode === "upos") return view.data.upos;
  if (view.mode === "subtype") return [[view.base, ":"], ...view.data.subtypes[view.base]];
  return view.mode === "relation" ? relationChoices(view) : [];
}

function askSubtype(view, base, head) {
  if (!(head > 0)) return notice(view, "Choose its head first, with h");
  if (!view.data.subtypes[base]) return notice(view, `No list has a subtype of ${base}`);
  const now = guessRelation(view, view.current, head);
  Object.assign(view, { mode: "subtype", head, base, refines: false, guess: baseOf(now) === base ? now : base });
  return moveTo(view, view.current);
}

// Relations of the menu: those of the text, then the subtypes that only other lists have.
function relationNames(data) {
  const names = ["root", ...data.relations.map(([name]) => name)];
  const others = Object.values(data.subtypes).flat().map(([name]) => name);
  return [...new Set([...names, ...others])];
}
