"""A headless Chromium, driven through chromedriver's WebDriver protocol with nothing but Python's own library."""

import base64
import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

ELEMENT = 'element-6066-11e4-a52e-4f735466cecf'
KEYS = {'left': '\ue012', 'right': '\ue014', 'escape': '\ue00c', 'enter': '\ue007', 'tab': '\ue004'}
FLAGS = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
         '--disable-component-update', '--disable-sync', '--hide-scrollbars']


class Browser:
    def __init__(self, width=1280, height=800, dark=False):
        self.profile = tempfile.mkdtemp(prefix='krait-chromium-')
        self.driver = subprocess.Popen(['chromedriver', '--port=0'], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                       text=True, start_new_session=True)
        self.session = None
        port = None
        for line in self.driver.stdout:
            if 'started successfully on port' in line:
                port = int(line.rstrip().rstrip('.').split()[-1])
                break
        if port is None:
            self.close()
            raise RuntimeError('chromedriver did not start')
        self.address = f'http://127.0.0.1:{port}'
        args = FLAGS + [f'--user-data-dir={self.profile}', f'--window-size={width},{height}']
        if dark:
            args.append('--blink-settings=preferredColorScheme=0')
        options = {'args': args, 'binary': shutil.which('chromium')}
        wanted = {'browserName': 'chrome', 'goog:chromeOptions': options,
                  'goog:loggingPrefs': {'browser': 'ALL', 'performance': 'ALL'}}
        try:
            self.session = self.call('POST', '/session', {'capabilities': {'alwaysMatch': wanted}})['sessionId']
        except Exception:
            self.close()
            raise

    def call(self, method, path, body=None):
        if self.session and path.startswith('/'):
            path = path if path == '/session' else f'/session/{self.session}{path}'.rstrip('/')
        data = json.dumps(body if body is not None else {}).encode() if method == 'POST' else None
        request = urllib.request.Request(self.address + path, data, {'Content-Type': 'application/json'}, method=method)
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with opener.open(request, timeout=60) as answer:
                return json.load(answer)['value']
        except urllib.error.HTTPError as error:
            raise RuntimeError(error.read().decode(errors='replace')[:500]) from None

    def open(self, path):
        self.call('POST', '/url', {'url': 'file://' + os.path.abspath(path)})

    def run(self, script, *arguments):
        return self.call('POST', '/execute/sync', {'script': script, 'args': list(arguments)})

    def find(self, selector):
        return self.call('POST', '/element', {'using': 'css selector', 'value': selector})[ELEMENT]

    def click(self, selector):
        self.call('POST', f'/element/{self.find(selector)}/click')

    def press(self, *keys):
        actions = []
        for key in keys:
            key = KEYS.get(key, key)
            actions += [{'type': 'keyDown', 'value': key}, {'type': 'keyUp', 'value': key}]
        self.call('POST', '/actions', {'actions': [{'type': 'key', 'id': 'keyboard', 'actions': actions}]})

    def text(self, selector):
        return self.run('return document.querySelector(arguments[0]).innerText', selector)

    def log(self, kind='browser'):
        return self.call('POST', '/se/log', {'type': kind})

    def requests(self):
        """Addresses that pages from disk asked for; the browser's own first page does not count."""
        found = []
        for entry in self.log('performance'):
            message = json.loads(entry['message'])['message']
            sent = message['params'] if message['method'] == 'Network.requestWillBeSent' else {}
            if not sent.get('documentURL', 'chrome:').startswith('chrome:'):
                found.append(sent['request']['url'])
        return found

    def screenshot(self, path):
        with open(path, 'wb') as file:
            file.write(base64.b64decode(self.call('GET', '/screenshot')))

    def close(self):
        try:
            if self.session:
                self.call('DELETE', '/')
        except Exception:
            pass
        try:  # the browser is of the driver's group, and may outlive it
            os.killpg(self.driver.pid, signal.SIGTERM)
        except ProcessLookupError:
            pass
        try:
            self.driver.wait(10)
        except subprocess.TimeoutExpired:
            self.driver.kill()
            self.driver.wait()
        self.driver.stdout.close()
        for _ in range(20):  # the browser may still be writing
            shutil.rmtree(self.profile, ignore_errors=True)
            if not os.path.exists(self.profile):
                break
            time.sleep(0.1)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
