"""Drawings and pages, made by krait and by make_sample, looked at as a reader and a browser would. pages.py yes|no: is there a browser?"""

import json
import os
import subprocess
import sys
import tempfile
import traceback
import xml.etree.ElementTree as xml

from browser import Browser

KRAIT = os.environ['KRAIT']
EXAMPLES = os.path.join(os.environ['KRAIT_SRCDIR'], 'docs', 'examples')
MAKE_SAMPLE = os.path.join(os.environ['KRAIT_BUILDDIR'], 'tests', 'pictures', 'make_sample')
SVG = '{http://www.w3.org/2000/svg}'
EVIL = ['</script><script>window.hacked=1</script>', '<img src=x onerror="window.hacked=1">', '<!--<script>', '"\'`${window.hacked=1}',
        'line\nbreak\ttab', 'nul\x00byte', '\u202eturned', 'a\u2028b\u2029c', ']]>&amp;', '日本語 🐍', 'K' * 10240]
scratch = tempfile.TemporaryDirectory(prefix='krait-pages-')


def path(name):
    return os.path.join(scratch.name, name)


def explain(history, level, **files):
    """krait explain; its output goes into files of the scratch folder."""
    options = [f'--{kind}={path(name)}' for kind, name in files.items()]
    done = subprocess.run([KRAIT, 'explain', f'--level={level}', '--force', *options, history], capture_output=True)
    assert done.returncode == 1, (done.returncode, done.stderr)


def sample(name, kind, *number):
    with open(path(f'{name}.{kind}'), 'wb') as file:
        subprocess.run([MAKE_SAMPLE, name, kind, *map(str, number)], stdout=file, check=True)
    return path(f'{name}.{kind}')


def write_hostile_history():
    """A circle through all the names: each transaction misses what the next one writes, so that none can be left out."""
    keys = EVIL + [{'b64': '//79'}]
    with open(path('hostile.jsonl'), 'w', encoding='utf-8') as file:
        for t, key in enumerate(keys):
            ops = [['get', key, None], ['put', keys[t - 1], t]]
            file.write(json.dumps({'s': t, 't': t, 'st': 'ok', 'ops': ops}) + '\n')
    return path('hostile.jsonl')


# --- drawings ------------------------------------------------------------------------------------------------------

def drawings_are_well_formed():
    for name, number in ('choice', 0), ('hostile', 0), ('dense', 200), ('scattered', 200):
        root = xml.parse(sample(name, 'svg', number)).getroot()
        assert root.tag == SVG + 'svg'
        boxes = root.findall(f'.//{SVG}g[@data-txn]')
        assert len(boxes) == (number or len(boxes)) and boxes, (name, len(boxes))
        assert all(box.find(SVG + 'title') is not None for box in boxes)
        assert not root.findall(f'.//{SVG}script') and not root.findall(f'.//{SVG}image')
    explain(write_hostile_history(), 'serializable', svg='hostile-history.svg')
    texts = ''.join(xml.parse(path('hostile-history.svg')).getroot().itertext())
    assert '</script><script>' in texts and 'nul\\x00byte' in texts


def sizes_stay_in_bounds():
    # Twice the transactions, about twice the bytes.
    small, large = (os.path.getsize(sample('dense', 'html', n)) for n in (200, 400))
    assert large < 3 * small, (small, large)
    assert os.path.getsize(sample('hostile', 'html')) < 1000000


# --- pages -----------------------------------------------------------------------------------------------------------

def is_quiet(browser, name):
    problems = [entry for entry in browser.log() if entry['level'] in ('SEVERE', 'WARNING')]
    assert not problems, (name, problems)
    asked = browser.requests()
    assert asked == ['file://' + path(name)], asked


def examples_open_and_step(browser):
    with open(path('phantom.kht'), 'w') as file:
        file.write('s1 T1 { scan a z -> none; put y 1 } commit\ns2 T2 { scan a z -> none; put x 1 } commit\n')
    for history, steps in (f'{EXAMPLES}/lost-update.kht', 2), (f'{EXAMPLES}/long-fork.kht', 4), (path('phantom.kht'), 2):
        name = os.path.basename(history) + '.html'
        explain(history, 'serializable', html=name)
        browser.open(path(name))
        assert browser.text('#where') == f'{steps} steps'
        seen = set()
        for i in range(steps):
            browser.press('right' if i % 2 else 'j')
            assert browser.text('#where') == f'step {i + 1} of {steps}'
            seen.add(browser.text('#panel .reason'))
            assert browser.run('return document.querySelectorAll(".arrow.chosen").length') == 1
            assert browser.run('return document.querySelectorAll(".box.chosen").length') == 2
        assert len(seen) == steps and all(' read ' in words or ' found no ' in words for words in seen), seen
        browser.press('left')
        assert browser.text('#where') == f'step {steps - 1} of {steps}'
        browser.press('k', 'escape')
        assert browser.text('#where') == f'{steps} steps'
        browser.click('#next')
        assert browser.text('#where') == f'step 1 of {steps}'
        is_quiet(browser, name)


def clicks_show_reasons_and_operations(browser):
    explain(f'{EXAMPLES}/lost-update.kht', 'serializable', html='clicks.html')
    browser.open(path('clicks.html'))
    browser.click('.label[data-edge="1"]')
    assert 'T2 read x = 0, the initial value; T1 wrote x, so T2 comes before T1' in browser.text('#panel')
    browser.click('.box[data-txn="1"]')
    assert browser.text('#panel h2') == 'T2'
    assert browser.run('return [...document.querySelectorAll("#panel .ops li")].map(x => x.innerText)') == ['get x -> 0', 'put x 1']
    browser.click('#panel .edges button')
    assert browser.text('#where').startswith('step')
    browser.run('document.querySelector(".box").focus()')
    browser.press('enter')
    assert browser.text('#panel h2') == 'T1'
    is_quiet(browser, 'clicks.html')


def choices_and_surroundings(browser):
    browser.open(sample('choice', 'html'))
    visible = 'return [...document.querySelectorAll(arguments[0])].filter(x => x.checkVisibility() && getComputedStyle(x).display !== "none").length'
    assert browser.run(visible, '.box') == 5
    assert browser.run(visible, '.arrow.cycle.b0') == 3 and browser.run(visible, '.arrow.cycle.b1') == 0
    browser.press(']')
    assert 'if T5 wrote x before T3' in browser.text('#panel .choice')
    assert browser.run(visible, '.arrow.cycle.b0') == 0 and browser.run(visible, '.arrow.cycle.b1') == 3
    browser.press('right')
    assert browser.text('#panel h2') == 'T5 → T3'
    browser.press('[')
    assert 'if T3 wrote x before T5' in browser.text('#panel .choice')
    browser.click('#surrounding')
    assert browser.run(visible, '.box') == 7
    assert browser.run('return document.getElementById("surrounding").getAttribute("aria-pressed")') == 'true'
    browser.press('s')
    assert browser.run(visible, '.box') == 5
    is_quiet(browser, 'choice.html')


def cases_of_a_check_are_choices(browser):
    """A lost update at snapshot isolation: either order of the writers closes a circle of its own. Between other transactions of the same clients."""
    with open(path('cases.kht'), 'w') as file:
        file.write('s1 T1 { put a 1 } commit\ns1 T2 { get b -> nil; get x -> nil; put x 1 } commit\ns2 T3 { get x -> nil; put x 2 } commit\ns2 T4 { put c 1 } commit\n')
    explain(path('cases.kht'), 'snapshot-isolation', html='cases.html')
    browser.open(path('cases.html'))
    visible = 'return [...document.querySelectorAll(arguments[0])].filter(x => x.checkVisibility() && getComputedStyle(x).display !== "none").length'
    overview = browser.text('#panel')
    assert 'if T2 wrote x before T3' in browser.text('#panel .choice') and 'an update is lost' in overview
    assert 'cursor-stability' in overview and 'prefix-consistency' in overview, overview
    assert browser.run(visible, '.box') == 2 and browser.run(visible, '.arrow.cycle.b0') == 2
    browser.press(']')
    assert 'if T3 wrote x before T2' in browser.text('#panel .choice')
    assert browser.run(visible, '.arrow.cycle.b1') == 2 and browser.run(visible, '.arrow.cycle.b0') == 0
    browser.click('#surrounding')
    assert browser.run(visible, '.box') == 4
    browser.click('.picture:not([hidden]) .box[data-txn="1"]')
    assert browser.text('#panel h2') == 'T2' and '3 operations in all' in browser.text('#panel'), browser.text('#panel')
    is_quiet(browser, 'cases.html')


def aborted_writers_are_shown(browser):
    explain(f'{EXAMPLES}/aborted-read.kht', 'read-committed', html='aborted.html')
    browser.open(path('aborted.html'))
    assert browser.run('return document.querySelectorAll(".box").length') == 2
    assert 'only T1 wrote, and that transaction aborted' in browser.text('#panel')
    browser.click('.label[data-edge="0"]')
    assert browser.text('#panel h2') == 'T1 → T2'
    is_quiet(browser, 'aborted.html')


def check_nothing_ran(browser):
    assert browser.run('return window.hacked === undefined')
    assert browser.run('return document.scripts.length') == 2
    assert browser.run('return document.images.length') == 0


def hostile_names_are_text(browser):
    browser.open(sample('hostile', 'html'))
    check_nothing_ran(browser)
    assert browser.text('h1') == EVIL[0]
    count = browser.run('return document.querySelectorAll(".box").length')
    for txn in range(count):
        browser.run('document.querySelector(`.box[data-txn="${arguments[0]}"]`).dispatchEvent(new MouseEvent("click", {bubbles: true}))', txn)
        panel = browser.text('#panel')
        assert EVIL[0] in panel and EVIL[1] in panel and 'not UTF-8: \\xff\\xfe' in panel, panel[:500]
    for step in range(count):
        browser.press('j')
    check_nothing_ran(browser)
    is_quiet(browser, 'hostile.html')
    explain(write_hostile_history(), 'serializable', html='hostile-history.html')
    browser.open(path('hostile-history.html'))
    panel = longest = ''
    for txn in range(browser.run('return document.querySelectorAll(".box").length')):
        browser.run('document.querySelectorAll(".box")[arguments[0]].dispatchEvent(new MouseEvent("click", {bubbles: true}))', txn)
        panel += browser.text('#panel')
        if browser.run('return document.querySelector("#panel .more") !== null'):
            browser.click('#panel .more')
            longest = browser.text('#panel')
    for shown in EVIL[0], EVIL[2], 'nul\\x00byte', '\\u{202e}turned', 'a\\u{2028}b', '日本語 🐍', '"\\xff\\xfe\\xfd"':
        assert shown in panel, shown
    assert 'K' * 400 not in panel
    assert 'K' * 10240 in longest
    check_nothing_ran(browser)
    is_quiet(browser, 'hostile-history.html')


def large_ones_can_be_walked(browser):
    for name in 'dense', 'scattered':
        browser.open(sample(name, 'html', 200))
        assert browser.run('return document.querySelectorAll(".box").length') == 200
        for _ in range(30):
            browser.press('right')
        inside = '''const area = document.getElementById("pane").getBoundingClientRect();
          return [...document.querySelectorAll(".box.chosen")].filter(x => {
            const r = x.getBoundingClientRect();
            return r.left >= area.left && r.right <= area.right && r.top >= area.top && r.bottom <= area.bottom; }).length'''
        assert browser.run(inside) >= 1, name
        browser.press('f')
        fits = 'const p = document.getElementById("pane"); return p.scrollWidth <= p.clientWidth && p.scrollHeight <= p.clientHeight'
        assert browser.run(fits), name
        is_quiet(browser, name + '.html')


def theme_follows_and_switches(browser):
    browser.open(sample('choice', 'html'))
    colour = 'return getComputedStyle(document.body).backgroundColor'
    light = browser.run(colour)
    browser.press('d')
    dark = browser.run(colour)
    browser.click('#theme')
    assert light == 'rgb(255, 255, 255)' and dark != light and browser.run(colour) == light
    with Browser(dark=True) as other:
        other.open(path('choice.html'))
        assert other.run(colour) == dark
        other.press('d')
        assert other.run(colour) == light


def narrow_windows_do(browser):
    with Browser(width=500, height=900) as narrow:
        narrow.open(sample('hostile', 'html'))
        assert narrow.run('return document.documentElement.scrollWidth <= innerWidth + 1')
        narrow.open(sample('choice', 'html'))
        assert narrow.run('return document.documentElement.scrollWidth <= innerWidth + 1')
        assert narrow.run('return document.getElementById("panel").getBoundingClientRect().top >= document.getElementById("pane").getBoundingClientRect().bottom')


def keyboard_alone_is_enough(browser):
    browser.open(sample('choice', 'html'))
    browser.press('?')
    assert browser.run('return document.getElementById("help").open')
    browser.press('escape')
    assert not browser.run('return document.getElementById("help").open')
    seen = []
    for _ in range(40):
        browser.press('tab')
        seen.append(browser.run('const e = document.activeElement; return e.id || e.getAttribute("class") || e.tagName'))
        if seen[-1].startswith('box'):
            break
    assert 'next' in seen and 'surrounding' in seen and 'theme' in seen and seen[-1].startswith('box'), seen
    assert browser.run('return [...document.querySelectorAll(".box, .arrow, button, select")].every(x => x.getAttribute("aria-label") || x.innerText || x.labels)')
    browser.press('enter')
    assert browser.text('#panel h2')


# --- all -----------------------------------------------------------------------------------------------------------------

def main():
    passed = failed = skipped = 0
    alone = [drawings_are_well_formed, sizes_stay_in_bounds]
    in_browser = [examples_open_and_step, clicks_show_reasons_and_operations, choices_and_surroundings, cases_of_a_check_are_choices,
                  aborted_writers_are_shown, hostile_names_are_text,
                  large_ones_can_be_walked, theme_follows_and_switches, narrow_windows_do, keyboard_alone_is_enough]
    browser = None
    if sys.argv[1] == 'yes':
        browser = Browser()
    else:
        print('skipped: the tests in a browser need chromium and chromium-driver')
        skipped = len(in_browser)
        in_browser = []
    for test in alone + in_browser:
        try:
            test(browser) if test in in_browser else test()
            passed += 1
        except Exception:
            failed += 1
            print(f'FAIL {test.__name__}')
            traceback.print_exc(file=sys.stdout)
    if browser:
        browser.close()
    scratch.cleanup()
    print(f'{passed} passed, {failed} failed, {skipped} skipped')
    return failed != 0


sys.exit(main())
