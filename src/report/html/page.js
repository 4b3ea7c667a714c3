"use strict";
// Steps of counterexamples, by keys: the current row, the line of each thread in the source, and what is known of the state.
// All texts come from the program and are set as texts, never as markup.
(() => {
  const findings = JSON.parse(document.getElementById("data").textContent).findings;
  if (findings.length === 0) return;
  const body = document.body;
  body.classList.add("live");

  const element = (tag, classes, text) => {
    const made = document.createElement(tag);
    if (classes) made.className = classes;
    if (text !== undefined) made.textContent = text;
    return made;
  };
  const section = (finding) => document.getElementById(`f${finding}`);
  const row = (finding, step) => document.getElementById(`f${finding}s${step}`);
  const colour = (thread) => `c${thread % 8}`;
  const short = (thread) => (thread === 0 ? "m" : String(thread));

  // The state before the first step. Frames of a thread are its functions, outermost first.
  const start = (finding) => ({
    shared: new Map(finding.initial),
    own: new Map(),
    locks: new Map(),
    threads: finding.threads.map(([, name]) => ({
      frames: [{ name, values: new Map() }],
      buffer: [],
    })),
  });
  const frame = (thread, depth, name) => {
    while (thread.frames.length <= depth) thread.frames.push({ name: "", values: new Map() });
    if (thread.frames[depth].name !== name) thread.frames[depth] = { name, values: new Map() };
    return thread.frames[depth];
  };
  const forget = (values, object) => {
    for (const name of [...values.keys()]) {
      if (name === object || name.startsWith(`${object}.`) || name.startsWith(`${object}[`)) values.delete(name);
    }
  };
  // Replays the changes of a step on a state.
  const change = (state, step) => {
    const thread = state.threads[step.thread];
    for (const one of step.changes) {
      switch (one.do) {
        case "shared": state.shared.set(one.name, one.value); state.own.delete(one.name); break;
        case "own": (state.shared.has(one.name) ? state.shared : state.own).set(one.name, one.value); break;
        case "local": frame(thread, one.depth, one.function).values.set(one.name, one.value); break;
        case "enter":
          thread.frames.length = Math.min(thread.frames.length, one.depth);
          frame(thread, one.depth - 1, thread.frames[one.depth - 1]?.name ?? "");
          thread.frames.push({ name: one.function, values: new Map(one.arguments) });
          break;
        case "leave": thread.frames.length = Math.min(thread.frames.length, one.depth + 1); break;
        case "issue": thread.buffer.push([one.name, one.value]); break;
        case "commit": {
          const first = thread.buffer.findIndex(([name]) => name === one.name);
          if (first >= 0) thread.buffer.splice(first, 1);
          state.shared.set(one.name, one.value);
          break;
        }
        case "acquire": {
          const holders = state.locks.get(one.name) ?? new Set();
          state.locks.set(one.name, holders.add(step.thread));
          break;
        }
        case "release": {
          const holders = state.locks.get(one.name);
          if (holders && !holders.delete(step.thread)) holders.clear();
          break;
        }
        case "free": forget(state.shared, one.name); forget(state.own, one.name); break;
      }
    }
  };
  const stateAt = (finding, count) => {
    const state = start(finding);
    finding.steps.slice(0, count).forEach((step) => change(state, step));
    return state;
  };

  // A list of names and values; those that `before` lacks or has otherwise are marked.
  const list = (values, before) => {
    const made = element("dl");
    for (const [name, value] of [...values].sort(([one], [other]) => (one < other ? -1 : 1))) {
      const changed = before.get(name) === value ? "" : "changed";
      made.append(element("dt", changed, name), element("dd", changed, value));
    }
    return made;
  };
  const none = new Map();
  const pane = (finding, count) => {
    const [state, before] = [stateAt(finding, count), stateAt(finding, count - 1)];
    const made = document.createDocumentFragment();
    const title = (thread) => finding.threads[thread][0];
    if (finding.weak) {
      made.append(element("h3", "", "Store buffers, oldest first"));
      const filled = state.threads.filter((thread) => thread.buffer.length > 0);
      if (filled.length === 0) made.append(element("p", "none", "all empty"));
      state.threads.forEach((thread, number) => {
        if (thread.buffer.length === 0) return;
        made.append(element("h3", `who ${colour(number)}`, title(number)));
        thread.buffer.forEach(([name, value], index) => {
          const fresh = index >= before.threads[number].buffer.length ? " changed" : "";
          made.append(element("div", `entry ${colour(number)}${fresh}`, `${name} = ${value}`));
        });
      });
    }
    made.append(element("h3", "", finding.weak ? "Memory" : "Shared variables"));
    made.append(state.shared.size ? list(state.shared, before.shared) : element("p", "none", "none so far"));
    const holders = (locks) => new Map([...locks]
      .filter(([, threads]) => threads.size > 0)
      .map(([name, threads]) => [name, `held by ${[...threads].map(title).join(", ")}`]));
    const held = holders(state.locks);
    if (held.size > 0) made.append(element("h3", "", "Locks"), list(held, holders(before.locks)));
    state.threads.forEach((thread, number) => {
      const frames = thread.frames.filter(({ values }) => values.size > 0);
      const earlier = before.threads[number];
      frames.forEach(({ name, values }) => {
        made.append(element("h3", `who ${colour(number)}`, `${title(number)}, in ${name}`));
        const depth = thread.frames.findIndex((one) => one.values === values);
        const known = earlier.frames[depth];
        made.append(list(values, known && known.name === name ? known.values : none));
      });
    });
    if (state.own.size > 0) made.append(element("h3", "", "Memory that no two threads share"), list(state.own, before.own));
    return made;
  };

  // Scrolls so that an element is seen in its pane, with some room around; nothing else moves.
  const reveal = (scroller, shown) => {
    if (!scroller || !shown) return;
    const [outer, inner] = [scroller.getBoundingClientRect(), shown.getBoundingClientRect()];
    const room = Math.min(90, outer.height / 4);
    if (inner.top < outer.top + room) scroller.scrollTop += inner.top - outer.top - room;
    else if (inner.bottom > outer.bottom - room) scroller.scrollTop += inner.bottom - outer.bottom + room;
  };

  let [current, at] = [0, 0];
  const lineOf = (spot) => (spot ? document.getElementById(`L${spot[0]}-${spot[1]}`) : null);
  const clear = (name) => document.querySelectorAll(`.${name}`).forEach((one) => one.classList.remove(name));

  // Shows a step of a finding; both count from 1.
  const show = (number, wanted) => {
    const finding = findings[number - 1];
    const steps = finding.steps;
    const count = Math.max(1, Math.min(steps.length, wanted));
    if (number !== current) {
      clear("shown");
      section(number).classList.add("shown");
      document.querySelectorAll("nav a").forEach((link, index) => link.classList.toggle("now", index + 1 === number));
      document.querySelectorAll(".line").forEach((line) => line.classList.remove("hit"));
      finding.wrong.forEach((spot) => lineOf(spot)?.classList.add("hit"));
      document.querySelectorAll("em[data-finding]").forEach((one) => one.classList.toggle("on", Number(one.dataset.finding) === number));
    }
    [current, at] = [number, count];
    clear("now-row");
    document.querySelectorAll("tr.now, .line.now").forEach((one) => one.classList.remove("now"));
    document.querySelectorAll(".mark").forEach((one) => one.remove());
    clear("lit");
    if (steps.length === 0) return;
    const step = steps[count - 1];
    const shown = row(number, count);
    shown.classList.add("now");
    const scroller = section(number).querySelector(".scroll");
    section(number).querySelectorAll("tr.step").forEach((one, index) => one.classList.toggle("later", index >= count));
    for (const write of [step.from, count]) {
      if (write) section(number).querySelectorAll(`.w${write}`).forEach((one) => one.classList.add("lit"));
    }
    // Where each thread stands.
    const stands = new Map();
    steps.slice(0, count).forEach((one) => {
      if (!one.commit) stands.set(one.thread, one.spot);
    });
    for (const [thread, spot] of [...stands].sort(([one], [other]) => one - other)) {
      const mark = element("span", `mark ${colour(thread)}`, short(thread));
      mark.title = `${finding.threads[thread][0]} stands here`;
      lineOf(spot)?.querySelector(".marks").append(mark);
    }
    const line = lineOf(step.spot);
    line?.classList.add("now");
    section(number).querySelector(".position").textContent = `step ${count} of ${steps.length}`;
    const state = section(number).querySelector(".state");
    state.replaceChildren(pane(finding, count));
    reveal(scroller, shown);
    reveal(document.querySelector(".source"), line);
    const changed = state.querySelector(".changed");
    if (changed) reveal(state, changed);
    history.replaceState(null, "", `#f${number}s${count}`);
  };

  // The next step at which another thread goes on, or the last one before that; the first or the last if there is none.
  const turn = (by) => {
    const steps = findings[current - 1].steps;
    let to = at + by;
    while (to > 1 && to < steps.length && steps[to - 1].thread === steps[to - 2].thread) to += by;
    return to;
  };
  const go = {
    first: () => show(current, 1),
    before: () => show(current, at - 1),
    next: () => show(current, at + 1),
    last: () => show(current, Infinity),
    turn: () => show(current, turn(1)),
    back: () => show(current, turn(-1)),
    finding: () => { if (current < findings.length) show(current + 1, Infinity); },
    earlier: () => { if (current > 1) show(current - 1, Infinity); },
  };
  const keys = {
    j: "next", ArrowDown: "next", ArrowRight: "next", k: "before", ArrowUp: "before", ArrowLeft: "before",
    Home: "first", End: "last", n: "turn", p: "back", "]": "finding", "[": "earlier",
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const what = keys[event.key];
    if (what) {
      event.preventDefault();
      go[what]();
    }
  });

  // The place that an address names: a finding, a step of one, or a line, which the browser shows itself.
  const follow = () => {
    const found = /^#f(\d+)(?:s(\d+))?$/.exec(location.hash);
    if (!found) return false;
    const number = Number(found[1]);
    if (number < 1 || number > findings.length) return false;
    show(number, found[2] ? Number(found[2]) : Infinity);
    return true;
  };
  window.addEventListener("hashchange", follow);

  const copied = (text) => {
    if (navigator.clipboard && window.isSecureContext) return navigator.clipboard.writeText(text);
    const field = element("textarea", "hidden", text);
    body.append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    return done ? Promise.resolve() : Promise.reject(new Error("copy"));
  };
  document.addEventListener("click", (event) => {
    const target = event.target;
    const button = target.closest("[data-go]");
    if (button) return go[button.dataset.go]();
    const copy = target.closest("[data-copy]");
    if (copy) {
      copied(copy.dataset.copy).then(
        () => { copy.textContent = "Copied"; },
        () => { copy.textContent = "Select the line and copy it"; },
      );
      return;
    }
    if (target.closest("header .covered")) return target.closest(".covered").classList.toggle("whole");
    const line = target.closest("a.place");
    if (line) {
      event.preventDefault();
      reveal(document.querySelector(".source"), document.querySelector(line.getAttribute("href")));
    }
    const step = target.closest("tr.step");
    const found = step && /^f(\d+)s(\d+)$/.exec(step.id);
    if (found) show(Number(found[1]), Number(found[2]));
  });

  if (!follow()) show(1, Infinity);
})();
